import MarketAPI
import MarketServer

/// Answers what it was asked: method, target, length of the body, and who asks.
struct EchoResponder: HTTPResponder {
  func immediateResponse(to request: ServerRequest) -> ServerResponse? {
    request.target == "/known" ? answer(to: request) : nil
  }

  func response(to request: ServerRequest) async -> ServerResponse { answer(to: request) }

  private func answer(to request: ServerRequest) -> ServerResponse {
    let text =
      "\(request.method.rawValue) \(request.target) \(request.body.count) "
      + "\(request.client.isSecure ? "secure" : "plain") \(request.client.address)"
    return ServerResponse(HTTPResponse(.ok, body: Array(text.utf8)))
  }
}
