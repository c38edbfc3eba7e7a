import Expectations
import MarketAPI
import MarketClient
import MarketModel
import Synchronization
import Testing

@testable import market

struct ForwardingTransportTests {
  /// Transport that only remembers what it was asked.
  private nonisolated final class Witness: HTTPTransport {
    private let sent = Mutex<[HTTPHop]>([])

    var hops: [HTTPHop] { sent.withLock(\.self) }

    func answer(to hop: HTTPHop) async throws(TransportError) -> HTTPHopResponse {
      sent.withLock { $0.append(hop) }
      return HTTPHopResponse(response: HTTPResponse(.ok))
    }
  }

  @Test func `the guests' own server learns whose question it is, and nobody else does`()
    async throws
  {
    let texts = [
      "https://market.example/api/products", "https://other.example/", "http://market.example/",
      "https://market.example:8443/",
    ]
    let addresses = try texts.map { try #require(WebAddress($0)) }
    let witness = Witness()
    let transport = ForwardingTransport(
      transport: witness, origin: addresses[0].origin, guest: "192.0.2.7")

    for address in addresses {
      let hop = HTTPHop(
        method: .get, address: address, headers: ["x-forwarded-for": "203.0.113.1"], limits: .json)
      _ = try await transport.answer(to: hop)
    }

    expect(
      witness.hops.map { $0.headers["x-forwarded-for"] },
      ["192.0.2.7", "203.0.113.1", "203.0.113.1", "203.0.113.1"])
  }
}
