import Dispatch
import Synchronization

/// A few connections that many calls share; a call waits for a free one no longer than it may.
final class ConnectionPool: Sendable {
  private struct Waiting {
    let number: Int
    let continuation: CheckedContinuation<ConnectionLane?, Never>
  }

  private struct State {
    var free: [ConnectionLane]
    var waiting: [Waiting] = []
    var callCount = 0
  }

  private let state: Mutex<State>
  private let patience: DispatchTimeInterval

  /// - Parameters:
  ///   - name: what debuggers show.
  ///   - count: how many connections there may be.
  ///   - address: where to.
  ///   - options: see there.
  init(_ name: String, count: Int, to address: String, options: PostgresOptions) {
    let lanes = (1...max(1, count)).map { number in
      ConnectionLane("\(name).\(number)", to: address, options: options)
    }
    state = Mutex(State(free: lanes))
    patience = .milliseconds(options.patienceMilliseconds)
  }

  /// Runs a body over one of the connections.
  func use<Answer: Sendable>(
    _ body: @escaping @Sendable (PostgresConnection) throws(PostgresError) -> Answer
  ) async throws(PostgresError) -> Answer {
    guard let lane = await freeLane() else { throw Task.isCancelled ? .cancelled : .timedOut }
    defer { giveBack(lane) }
    return try await lane.use(body)
  }

  /// A lane for this call alone; nil after too long a wait, or once the task is cancelled.
  private func freeLane() async -> ConnectionLane? {
    let number = state.withLock { state in
      state.callCount += 1
      return state.callCount
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        if let lane = takeOrWait(Waiting(number: number, continuation: continuation)) {
          continuation.resume(returning: lane)
        } else if Task.isCancelled {
          giveUp(number)
        } else {
          DispatchQueue.global().asyncAfter(deadline: .now() + patience) { self.giveUp(number) }
        }
      }
    } onCancel: {
      giveUp(number)
    }
  }

  private func takeOrWait(_ call: Waiting) -> ConnectionLane? {
    state.withLock { state in
      // The one used last: its connection is warm, and the others may rest.
      if let lane = state.free.popLast() { return lane }
      state.waiting.append(call)
      return nil
    }
  }

  private func giveBack(_ lane: ConnectionLane) {
    let next = state.withLock { state -> Waiting? in
      guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
      state.free.append(lane)
      return nil
    }
    next?.continuation.resume(returning: lane)
  }

  private func giveUp(_ number: Int) {
    let call = state.withLock { state -> Waiting? in
      guard let index = state.waiting.firstIndex(where: { $0.number == number }) else { return nil }
      return state.waiting.remove(at: index)
    }
    call?.continuation.resume(returning: nil)
  }
}
