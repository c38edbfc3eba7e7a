import MarketAPI
import MarketClient
import MarketModel

/// Transport that forwards the guest's address to the server, as a trusted proxy does.
nonisolated struct ForwardingTransport: HTTPTransport {
  private static let header = "x-forwarded-for"

  let transport: any HTTPTransport
  /// Origin of the only server that receives the address.
  let origin: WebAddress.Origin
  /// Network address of the guest.
  let guest: String

  func answer(to hop: HTTPHop) async throws(TransportError) -> HTTPHopResponse {
    var hop = hop
    if hop.address.origin == origin { hop.headers[Self.header] = guest }
    return try await transport.answer(to: hop)
  }
}
