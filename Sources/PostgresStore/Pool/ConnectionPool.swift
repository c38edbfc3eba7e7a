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
  let options: PostgresOptions
  /// Where waits come to their end.
  private let clock: DispatchQueue

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
    self.options = options
    clock = DispatchQueue(label: "market.postgres.\(name).clock")
  }

  /// Runs a body over one of the connections; what it runs is ended once the task is cancelled.
  func use<Answer: Sendable>(
    _ body: @escaping @Sendable (PostgresConnection) throws(PostgresError) -> Answer
  ) async throws(PostgresError) -> Answer {
    guard let lane = await freeLane() else { throw Task.isCancelled ? .cancelled : .timedOut }
    defer { giveBack(lane) }
    let outcome = await withTaskCancellationHandler {
      do throws(PostgresError) {
        return Result<Answer, PostgresError>.success(try await lane.use(body))
      } catch {
        return .failure(error)
      }
    } onCancel: {
      lane.interrupt()
    }
    return try outcome.get()
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
          clock.asyncAfter(deadline: .now() + .milliseconds(options.patienceMilliseconds)) {
            self.giveUp(number)
          }
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
