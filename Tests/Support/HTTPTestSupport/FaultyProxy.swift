import Glibc

/// What a proxy does to one request on its way to the server.
package enum ProxyFault: Sendable {
  /// The server gets the request; its response is lost.
  case losesAnswer
  /// The server does not get it; the proxy answers with this status.
  case answers(status: Int)
  /// The server gets the request, and its answer ends in the middle.
  case cutsAnswer
  /// The beginning of the answer comes in drops.
  case answersSlowly
  /// The server gets the request; the client gets nothing, and no end.
  case stalls

  /// The steps that a fault makes of an answer.
  fileprivate func steps(for answer: [UInt8]) -> [ServerStep] {
    let (dropCount, pauseMilliseconds) = (60, Int32(5))
    switch self {
    case .losesAnswer: return [.close]
    case .answers(let status): return [.answer(status, "{}"), .close]
    case .cutsAnswer: return [.sendBytes(Array(answer.dropLast(answer.count / 4 + 1))), .close]
    case .answersSlowly:
      let drops = String(decoding: answer.prefix(dropCount), as: UTF8.self)
      return [
        .trickle(drops, everyMilliseconds: pauseMilliseconds),
        .sendBytes(Array(answer.dropFirst(dropCount))), .close,
      ]
    case .stalls: return [.stall]
    }
  }
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
      let harm = fault(request, count)
      // The server hears nothing of what the proxy answers.
      if case .answers? = harm { return harm?.steps(for: []) ?? [] }
      let answer = upstream.answer(from: port)
      return harm?.steps(for: answer) ?? [.sendBytes(answer), .close]
    }
  }

  package var address: String { server.base }

  /// What came so far, in order.
  package var requests: [ReceivedRequest] { server.requests }
}
