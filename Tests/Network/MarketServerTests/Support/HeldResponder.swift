import MarketAPI
import MarketServer

/// Holds every request until the test lets them go.
struct HeldResponder: HTTPResponder {
  private let arrivals = AsyncStream.makeStream(of: Void.self)
  private let departures = AsyncStream.makeStream(of: Void.self)

  /// Returns when a request has arrived.
  func arrival() async {
    for await _ in arrivals.stream { return }
  }

  func release() { departures.continuation.finish() }

  func immediateResponse(to request: ServerRequest) -> ServerResponse? { nil }

  func response(to request: ServerRequest) async -> ServerResponse {
    arrivals.continuation.yield()
    for await _ in departures.stream {}
    return ServerResponse(HTTPResponse(.ok, body: Array("let go".utf8)))
  }
}
