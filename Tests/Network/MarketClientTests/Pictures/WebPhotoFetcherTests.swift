import Expectations
import MarketAPI
import MarketModel
import Testing

@testable import MarketClient

/// Photos by the addresses of a table.
struct WebPhotoFetcherTests {
  private func bytes(
    _ address: String = "https://a.example/1.jpg",
    _ script: @escaping FakeTransport.Answer
  ) async throws(TransportError) -> (bytes: [UInt8], hops: [HTTPHop]) {
    let transport = FakeTransport(script)
    let bytes = try await WebPhotoFetcher(over: transport).bytes(at: address)
    return (bytes, transport.hops)
  }

  @Test func `a photo is fetched through redirects, from open addresses alone`() async throws {
    let (bytes, hops) = try await bytes { _, count throws(TransportError) in
      guard count > 0 else { return .redirect(to: "https://b.example/2.jpg") }
      return HTTPHopResponse(response: HTTPResponse(HTTPStatus(rawValue: 200), body: [1, 2]))
    }

    expect(bytes, [1, 2])
    expect(hops.map(\.address.origin.host), ["a.example", "b.example"])
    for hop in hops {
      #expect(hop.addressPolicy.admits(.open))
      for zone in [NetworkZone.loopback, .local, .link, .reserved] {
        #expect(!hop.addressPolicy.admits(zone))
      }
      expect(hop.limits, .picture)
    }
  }

  @Test func `errors, endless redirects and other schemes are no photos`() async {
    await #expect(throws: TransportError.malformed) {
      try await bytes { _, _ throws(TransportError) in .status(404) }
    }
    await #expect(throws: TransportError.tooManyRedirects) {
      try await bytes { _, count throws(TransportError) in
        .redirect(to: "https://a.example/\(count)")
      }
    }
    await #expect(throws: TransportError.redirectUnencrypted) {
      try await bytes { _, _ throws(TransportError) in .redirect(to: "http://a.example/") }
    }
    await #expect(throws: TransportError.redirectRefused) {
      try await bytes("file:///etc/passwd") { _, _ throws(TransportError) in .status(200) }
    }
  }
}
