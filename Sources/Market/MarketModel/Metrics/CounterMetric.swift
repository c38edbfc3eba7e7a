import Synchronization

/// Counter of one thing.
package final class CounterMetric: Sendable {
  private let value = Atomic(0)

  init() {}

  package var count: Int { value.load(ordering: .relaxed) }

  package func add(_ more: Int = 1) { value.add(more, ordering: .relaxed) }
}
