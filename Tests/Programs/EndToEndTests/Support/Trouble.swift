import HTTPTestSupport
import Synchronization
import TestSupport
import Testing

/// What goes wrong between the program and a server, which a test changes as it goes on.
final class Trouble: Sendable {
  /// Requests that meet with it.
  enum Part: Sendable {
    case readings, edits, deletions
  }

  private struct State {
    /// The same for all requests of a part, until it is over.
    var standing: (part: Part, fault: ProxyFault)?
    /// Each for one request of its part; nil lets one through.
    var single: [(part: Part, fault: ProxyFault?)] = []
  }

  private let state = Mutex(State())

  /// From now on all requests of a part meet with a fault.
  func begin(_ fault: ProxyFault, for part: Part = .readings) {
    state.withLock { $0.standing = (part, fault) }
  }

  /// From now on nothing goes wrong.
  func end() { state.withLock { $0 = State() } }

  /// The next requests of a part meet with these faults, one each.
  func next(_ faults: [ProxyFault?], for part: Part) {
    state.withLock { $0.single = faults.map { (part, $0) } }
  }

  /// Waits until the next requests of a part have met with what was put in their way.
  func waitUntilMet() async { await poll { state.withLock { $0.single.isEmpty } } }

  /// What becomes of a request.
  func fault(for request: ReceivedRequest) -> ProxyFault? {
    state.withLock { state in
      if let first = state.single.first, request.isOf(first.part) {
        state.single.removeFirst()
        return first.fault
      }
      guard let standing = state.standing, request.isOf(standing.part) else { return nil }
      return standing.fault
    }
  }
}

extension ReceivedRequest {
  /// Whether it is a request of a part; pictures and the question who is there always come through.
  fileprivate func isOf(_ part: Trouble.Part) -> Bool {
    switch part {
    case .readings:
      method == "GET" && (path.hasPrefix("/item") || path.hasPrefix("/api/products"))
    case .edits: method == "PATCH"
    case .deletions: method == "DELETE"
    }
  }
}
