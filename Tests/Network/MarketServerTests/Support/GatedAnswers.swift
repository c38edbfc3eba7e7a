import MarketAPI
import MarketServer
import Synchronization

/// Answers `/held` when the test lets it, and anything else at once, both as answers that are found.
final class GatedAnswers: HTTPResponder {
  private struct State {
    var held: [CheckedContinuation<Void, Never>] = []
    var isReleased = false
    var count = 0
    var waiter: (count: Int, continuation: CheckedContinuation<Void, Never>)?
  }

  private let state = Mutex(State())

  /// How many requests for `/held` have begun to be answered.
  var count: Int { state.withLock { $0.count } }

  func immediateResponse(to request: ServerRequest) -> ServerResponse? { nil }

  func response(to request: ServerRequest) async -> ServerResponse {
    if request.target == "/held" { await hold() }
    return ServerResponse(HTTPResponse(.ok, body: Array("done".utf8)))
  }

  /// Returns when so many requests are being held.
  func begun(_ count: Int) async {
    await withCheckedContinuation { continuation in
      let isThere = state.withLock { state in
        if state.count < count { state.waiter = (count, continuation) }
        return state.count >= count
      }
      if isThere { continuation.resume() }
    }
  }

  /// Answers all that are held, and holds none any more.
  func release() {
    let held = state.withLock { state in
      state.isReleased = true
      defer { state.held = [] }
      return state.held
    }
    for continuation in held { continuation.resume() }
  }

  private func hold() async {
    await withCheckedContinuation { continuation in
      let (waiter, isReleased) = state.withLock { state in
        state.count += 1
        if !state.isReleased { state.held.append(continuation) }
        guard let waiter = state.waiter, state.count >= waiter.count else {
          return (CheckedContinuation<Void, Never>?.none, state.isReleased)
        }
        state.waiter = nil
        return (waiter.continuation, state.isReleased)
      }
      waiter?.resume()
      if isReleased { continuation.resume() }
    }
  }
}

/// Finds an answer for each request: for `/large` more than sockets hold, else a word.
struct FoundAnswers: HTTPResponder {
  private static let large = [UInt8](repeating: 0x61, count: 64 << 20)

  func immediateResponse(to request: ServerRequest) -> ServerResponse? { nil }

  func response(to request: ServerRequest) async -> ServerResponse {
    let body = request.target == "/large" ? Self.large : Array("small".utf8)
    return ServerResponse(HTTPResponse(.ok, body: body))
  }
}
