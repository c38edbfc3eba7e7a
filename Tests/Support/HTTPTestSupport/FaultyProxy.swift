import Glibc

/// What a proxy does to one request on its way to the server.
package enum ProxyFault: Sendable {
  /// The server gets the request, and nobody its answer.
  case losesAnswer
  /// The server does not get it; the proxy answers with this status.
  case answers(status: Int)
}

/// A proxy before a server on the loopback interface that does harm as a test likes.
package final class FaultyProxy: Sendable {
  private let server: ScriptedServer

  /// - Parameters:
  ///   - port: where the server listens.
  ///   - hidesAdditions: whether the server seems not to know our additions to the API.
  ///   - fault: what to do to a request, told how many like it in method and path came before;
  ///     nil lets it through.
  /// - Throws: where it cannot listen.
  package init(
    before port: UInt16, hidingAdditions hidesAdditions: Bool = false,
    fault: @escaping @Sendable (ReceivedRequest, Int) -> ProxyFault?
  ) throws {
    let counts = RequestCounts()
    server = try ScriptedServer { request, _ in
      let count = counts.next(request)
      let upstream = UpstreamRequest(request, hidesAdditions: hidesAdditions)
      switch fault(request, count) {
      case nil: return [.sendBytes(upstream.answer(from: port)), .close]
      case .losesAnswer:
        _ = upstream.answer(from: port)
        return [.close]
      case .answers(let status): return [.answer(status, "{}"), .close]
      }
    }
  }

  package var address: String { server.base }

  /// What came so far, in order.
  package var requests: [ReceivedRequest] { server.requests }
}
