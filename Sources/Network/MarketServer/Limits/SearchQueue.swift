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

  /// Time before its deadline at which a waiting search is refused, so that the refusal can still be
  /// sent.
  private static let responseMargin = Duration.milliseconds(500)

  private let slots: Mutex<SlotQueue<ClientNetwork, Waiting>>
  private let numbers = Atomic(0)

  /// Creates a queue with the maximum number of concurrent searches of a network.
  init(limit: Int) {
    slots = Mutex(SlotQueue(limit: limit))
  }

  /// Runs `body` in a slot of the network; nil if none was free in time or the task is cancelled.
  func use<Answer>(of network: ClientNetwork, _ body: () async -> Answer) async -> Answer? {
    guard await begin(network) else { return nil }
    defer {
      let next = slots.withLock { $0.leave(network) }
      next?.continuation.resume(returning: true)
    }
    return await body()
  }

  private func begin(_ network: ClientNetwork) async -> Bool {
    let number = numbers.add(1, ordering: .relaxed).newValue
    var timer: Task<Void, Never>?
    defer { timer?.cancel() }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let search = Waiting(number: number, continuation: continuation)
        if slots.withLock({ $0.enter(network, search) }) == .begins {
          return continuation.resume(returning: true)
        }
        let end = RequestDeadline.deadline.map { $0 - Self.responseMargin }
        if Task.isCancelled || end.map({ $0 <= .now }) ?? false {
          cancel(number, of: network)
        } else if let end {
          timer = Task {
            try? await Task.sleep(until: end, clock: .continuous)
            cancel(number, of: network)
          }
        }
      }
    } onCancel: {
      cancel(number, of: network)
    }
  }

  private func cancel(_ number: Int, of network: ClientNetwork) {
    let searches = slots.withLock { $0.remove(of: network) { $0.number == number } }
    for search in searches { search.continuation.resume(returning: false) }
  }
}
