import Synchronization

/// Numbers of what a server and its store do, gathered from wherever they arise.
///
/// Whoever counts asks once for a meter and keeps it, so that counting is one step of an atomic.
package final class MetricsRegistry: Sendable {
  private struct Key: Hashable {
    let metric: Metric
    let labels: [String]
  }

  private struct State {
    var counters: [Key: CounterMetric] = [:]
    var timers: [Key: TimerMetric] = [:]
    var gauges: [Key: @Sendable () -> Double] = [:]
  }

  private let state = Mutex(State())

  package init() {}

  /// The counter of a metric with these values of its labels.
  package func counter(_ metric: Metric, _ labels: String...) -> CounterMetric {
    let key = Key(metric: metric, labels: labels)
    return state.withLock { $0.counters.meter(key, orNew: CounterMetric()) }
  }

  /// The histogram of a metric with these values of its labels.
  package func timer(_ metric: Metric, _ labels: String...) -> TimerMetric {
    let key = Key(metric: metric, labels: labels)
    return state.withLock { $0.timers.meter(key, orNew: TimerMetric()) }
  }

  /// A number that is asked for whenever all are read; it may not take longer than microseconds.
  package func gauge(
    _ metric: Metric, _ labels: String..., value: @escaping @Sendable () -> Double
  ) {
    state.withLock { $0.gauges[Key(metric: metric, labels: labels)] = value }
  }

  /// All numbers as they are now.
  package func samples() -> [MetricSample] {
    // A gauge may ask somebody who is just registering another one.
    let state = state.withLock { $0 }
    return state.counters.map { key, meter in
      MetricSample(key.metric, key.labels, .number(Double(meter.count)))
    }
      + state.timers.map { key, meter in
        MetricSample(key.metric, key.labels, .durations(meter.counts))
      }
      + state.gauges.map { key, value in
        MetricSample(key.metric, key.labels, .number(value()))
      }
  }
}

extension Dictionary {
  /// The meter that is known by a key, which from now on there is.
  fileprivate mutating func meter(_ key: Key, orNew new: @autoclosure () -> Value) -> Value {
    if let known = self[key] { return known }
    let meter = new()
    self[key] = meter
    return meter
  }
}

/// Counter of one thing.
package final class CounterMetric: Sendable {
  private let value = Atomic(0)

  package var count: Int { value.load(ordering: .relaxed) }

  package func add(_ more: Int = 1) { value.add(more, ordering: .relaxed) }
}

/// Counter of how long one thing takes.
package final class TimerMetric: Sendable {
  private let state = Mutex(DurationHistogram())

  init() {}

  package var counts: DurationHistogram { state.withLock { $0 } }

  /// Counts what began at a moment and is over now.
  package func note(since start: ContinuousClock.Instant) {
    let (seconds, attoseconds) = (ContinuousClock.now - start).components
    let nanoseconds = UInt64(max(0, seconds)) * 1_000_000_000 + UInt64(attoseconds / 1_000_000_000)
    state.withLock { $0.add(nanoseconds: nanoseconds) }
  }
}

/// Durations counted by their lengths, finely enough for the slowest hundredth.
package struct DurationHistogram: Hashable, Sendable {
  /// Upper bounds in seconds; six for each power of ten, so that a quantile is known within two thirds.
  package static let bounds = [
    0.0001, 0.00015, 0.0002, 0.0003, 0.0005, 0.0007,
    0.001, 0.0015, 0.002, 0.003, 0.005, 0.007,
    0.01, 0.015, 0.02, 0.03, 0.05, 0.07,
    0.1, 0.15, 0.2, 0.3, 0.5, 0.7,
    1, 1.5, 2, 3, 5, 7,
    10,
  ]
  private static let nanosecondBounds = bounds.map { UInt64(($0 * 1e9).rounded()) }

  /// Durations up to the bound of the same place and above the one before; the last one has none.
  package private(set) var counts = [Int](repeating: 0, count: bounds.count + 1)
  package private(set) var nanoseconds: UInt64 = 0

  package init() {}

  package mutating func add(nanoseconds duration: UInt64) {
    let position = Self.nanosecondBounds.firstIndex { duration <= $0 } ?? Self.bounds.count
    counts[position] += 1
    nanoseconds += duration
  }
}
