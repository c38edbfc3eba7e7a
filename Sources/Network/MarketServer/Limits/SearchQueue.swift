import MarketModel
import Synchronization

/// Queue of searches: a maximum number of concurrent searches for each network; further ones wait in
/// order.
///
/// A search that waits until shortly before its deadline is refused.
final class SearchQueue: Sendable {
  private struct Waiting {
    let number: Int
    let continuation: CheckedContinuation<Bool, Never>
  }

  /// Searches of one network.
  private struct Line {
    var running = 0
    var waiting: [Waiting] = []
  }

  private struct State {
    var lines: [ClientNetwork: Line] = [:]
    var callCount = 0
  }

  /// Time before its deadline at which a waiting search is refused, so that the refusal can still be
  /// sent.
  private static let lastWord = Duration.milliseconds(500)

  private let limit: Int
  private let state = Mutex(State())

  /// Creates a queue with the maximum number of concurrent searches of a network.
  init(limit: Int) {
    self.limit = limit
  }

  /// Runs `body` in a slot of the network; nil if none was free in time or the task is cancelled.
  func use<Answer>(of network: ClientNetwork, _ body: () async -> Answer) async -> Answer? {
    guard await begin(network) else { return nil }
    defer { end(network) }
    return await body()
  }

  private func begin(_ network: ClientNetwork) async -> Bool {
    let number = state.withLock { state -> Int? in
      if state.lines[network]?.running ?? 0 < limit {
        state.lines[network, default: Line()].running += 1
        return nil
      }
      state.callCount += 1
      return state.callCount
    }
    guard let number else { return true }
    let timer = RequestDeadline.deadline.map { deadline in
      Task {
        try? await Task.sleep(until: deadline - Self.lastWord, clock: .continuous)
        giveUp(number, of: network)
      }
    }
    defer { timer?.cancel() }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        wait(Waiting(number: number, continuation: continuation), of: network)
        // A timer that fired before the call was in the queue did not find it.
        let isLate = RequestDeadline.deadline.map { $0 - Self.lastWord <= .now } ?? false
        if Task.isCancelled || isLate { giveUp(number, of: network) }
      }
    } onCancel: {
      giveUp(number, of: network)
    }
  }

  /// Appends a call to its queue, or starts it if a slot is free by now.
  private func wait(_ call: Waiting, of network: ClientNetwork) {
    let isFree = state.withLock { state in
      var line = state.lines[network] ?? Line()
      let isFree = line.running < limit
      if isFree { line.running += 1 } else { line.waiting.append(call) }
      state.lines[network] = line
      return isFree
    }
    if isFree { call.continuation.resume(returning: true) }
  }

  /// Passes the slot to the next call.
  private func end(_ network: ClientNetwork) {
    let next = state.withLock { state -> Waiting? in
      guard var line = state.lines[network] else { return nil }
      let next = line.waiting.isEmpty ? nil : line.waiting.removeFirst()
      if next == nil { line.running -= 1 }
      state.lines[network] = line.running == 0 ? nil : line
      return next
    }
    next?.continuation.resume(returning: true)
  }

  private func giveUp(_ number: Int, of network: ClientNetwork) {
    let call = state.withLock { state -> Waiting? in
      guard let position = state.lines[network]?.waiting.firstIndex(where: { $0.number == number })
      else { return nil }
      return state.lines[network]?.waiting.remove(at: position)
    }
    call?.continuation.resume(returning: false)
  }
}
