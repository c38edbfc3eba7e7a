import Expectations
import MarketAPI
import MarketClient
import MarketModel
import TestSupport
import Testing

struct HTTPPictureSourceTests {
  private let picture = Picture(original: "http://x.example/1", thumbnail: "http://x.example/2")

  @Test func `each rendition is fetched from its own address`() async throws {
    let transport = FakeTransport { _ in HTTPResponse(.ok, body: PictureFile.jpeg()) }
    let source = try HTTPPictureSource(over: .test(transport))

    let bytes = try await source.bytes(of: picture, .thumbnail)

    expect(bytes, PictureFile.jpeg())
    expect(transport.hops.map(\.address.text), ["http://x.example/2"])
  }

  @Test(arguments: [
    (404, [] as [UInt8], PictureError.missing), (500, [], .unreachable),
    (200, Array("<html>".utf8), .undecodable), (200, [], .undecodable),
  ])
  func `an answer that is no picture says why`(
    _ status: Int, _ body: [UInt8], _ error: PictureError
  ) async throws {
    let transport = FakeTransport { _ in HTTPResponse(HTTPStatus(rawValue: status), body: body) }
    let source = try HTTPPictureSource(over: .test(transport))

    await #expect(throws: error) { try await source.bytes(of: picture, .original) }
  }

  @Test(arguments: ["", "picture.jpg", "file:///etc/passwd", "javascript:alert(1)", "http://a b/"])
  func `an address that is none is asked nowhere`(_ address: String) async throws {
    let transport = FakeTransport { _, _ in .status(200) }
    let source = try HTTPPictureSource(over: .test(transport))

    await #expect(throws: PictureError.missing) {
      try await source.bytes(of: Picture(original: address, thumbnail: address), .original)
    }
    #expect(transport.hops.isEmpty)
  }
}
