import MarketAPI

/// Responder to requests, wherever they come from.
package protocol HTTPResponder: Sendable {
  /// The answer where it is known already; called on a thread of the server, so it takes
  /// microseconds and waits for nothing.
  func knownResponse(to request: ServerRequest) -> ServerResponse?

  /// The answer, found out.
  func response(to request: ServerRequest) async -> ServerResponse
}
