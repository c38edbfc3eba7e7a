import MarketAPI
import MarketClient
import MarketModel

/// Transport that tells a server for whom it asks, as a proxy does that the server trusts.
nonisolated struct ForwardingTransport: HTTPTransport {
  private static let header = "x-forwarded-for"

  let transport: any HTTPTransport
  /// The one server that is told.
  let origin: WebAddress.Origin
  /// The guest's network address.
  let guest: String

  func answer(to hop: HTTPHop) async throws(TransportError) -> HTTPHopResponse {
    var hop = hop
    if hop.address.origin == origin { hop.headers[Self.header] = guest }
    return try await transport.answer(to: hop)
  }
}
