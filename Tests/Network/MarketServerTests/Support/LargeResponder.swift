import MarketAPI
import MarketServer

/// Answers `/large` with more than sockets hold, and anything else with a word.
struct LargeResponder: HTTPResponder {
  private let large = ServerResponse(
    HTTPResponse(.ok, body: [UInt8](repeating: 0x61, count: 64 << 20)))

  func immediateResponse(to request: ServerRequest) -> ServerResponse? {
    request.target == "/large"
      ? large : ServerResponse(HTTPResponse(.ok, body: Array("small".utf8)))
  }

  func response(to request: ServerRequest) async -> ServerResponse { large }
}
