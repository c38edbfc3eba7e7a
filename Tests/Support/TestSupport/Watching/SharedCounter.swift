import Synchronization

/// Number that the closures of several tasks count up.
package final class SharedCounter: Sendable {
  private let count = Atomic(0)

  package init() {}

  package var value: Int { count.load(ordering: .relaxed) }

  package func rise() { count.add(1, ordering: .relaxed) }
}
