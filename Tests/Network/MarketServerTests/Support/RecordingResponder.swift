import MarketAPI
import MarketServer
import Synchronization

/// Answers what the echo does, and remembers what it was asked.
final class RecordingResponder: HTTPResponder {
  private let requests = Mutex<[String]>([])

  /// Method and target of all requests, in order.
  var asked: [String] { requests.withLock { $0 } }

  func immediateResponse(to request: ServerRequest) -> ServerResponse? {
    requests.withLock { $0.append("\(request.method.rawValue) \(request.target)") }
    let text = "\(request.method.rawValue) \(request.target) \(request.body.count)"
    return ServerResponse(HTTPResponse(.ok, body: Array(text.utf8)))
  }

  func response(to request: ServerRequest) async -> ServerResponse {
    ServerResponse(HTTPResponse(.internalServerError))
  }
}
