import MarketAPI
import MarketClient
import MarketModel
import Synchronization

/// A transport whose answers the test writes: a network in one closure.
final class FakeTransport: HTTPTransport {
  typealias Answer = @Sendable (HTTPHop, Int) async throws(TransportError) -> HTTPHopResponse

  private let script: Answer
  private let sent = Mutex<[HTTPHop]>([])

  /// The closure gets each request, and how many came before it.
  init(_ script: @escaping Answer) {
    self.script = script
  }

  /// Answers every request with what a server would say to it.
  convenience init(serving serve: @escaping @Sendable (HTTPRequest) async -> HTTPResponse) {
    self.init { hop, _ throws(TransportError) in
      HTTPHopResponse(response: await serve(hop.request), zone: .loopback)
    }
  }

  var hops: [HTTPHop] { sent.withLock { $0 } }

  func answer(to hop: HTTPHop) async throws(TransportError) -> HTTPHopResponse {
    let count = sent.withLock { sent in
      sent.append(hop)
      return sent.count - 1
    }
    return try await script(hop, count)
  }
}

extension HTTPHop {
  /// The request as a server reads it.
  var request: HTTPRequest {
    HTTPRequest(method, RequestTarget(parsing: address.target), headers: headers, body: body)
  }
}

extension HTTPHopResponse {
  static func status(_ status: Int, headers: HTTPHeaders = [:]) -> HTTPHopResponse {
    HTTPHopResponse(
      response: HTTPResponse(HTTPStatus(rawValue: status), headers: headers), zone: .loopback)
  }

  static func redirect(to location: String, status: Int = 302) -> HTTPHopResponse {
    var answer = HTTPHopResponse.status(status)
    answer.redirect = location
    return answer
  }
}
