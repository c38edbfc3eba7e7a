import Synchronization

/// Registry of all metrics of a server and its store.
///
/// Callers look a meter up once and keep it, so that counting is one atomic operation.
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

  /// Returns the counter of a metric with these label values, created at the first call.
  package func counter(_ metric: Metric, _ labels: String...) -> CounterMetric {
    let key = Key(metric: metric, labels: labels)
    return state.withLock { $0.counters.meter(key, orNew: CounterMetric()) }
  }

  /// Returns the histogram of a metric with these label values, created at the first call.
  package func timer(_ metric: Metric, _ labels: String...) -> TimerMetric {
    let key = Key(metric: metric, labels: labels)
    return state.withLock { $0.timers.meter(key, orNew: TimerMetric()) }
  }

  /// Registers a gauge, whose closure is called at each reading and must return within microseconds.
  package func gauge(
    _ metric: Metric, _ labels: String..., value: @escaping @Sendable () -> Double
  ) {
    state.withLock { $0.gauges[Key(metric: metric, labels: labels)] = value }
  }

  /// Returns the present values of all metrics.
  package func samples() -> [MetricSample] {
    // Not locked here: a gauge's closure may wait for a thread that registers another one.
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
  /// Returns the meter of a key, after adding a new one where there is none.
  fileprivate mutating func meter(_ key: Key, orNew new: @autoclosure () -> Value) -> Value {
    if let known = self[key] { return known }
    let meter = new()
    self[key] = meter
    return meter
  }
}

/// Counter metric.
package final class CounterMetric: Sendable {
  private let value = Atomic(0)

  package var count: Int { value.load(ordering: .relaxed) }

  package func add(_ more: Int = 1) { value.add(more, ordering: .relaxed) }
}

/// Histogram metric of durations.
package final class TimerMetric: Sendable {
  private let state = Mutex(DurationHistogram())

  init() {}

  package var counts: DurationHistogram { state.withLock { $0 } }

  /// Adds the time since `start`.
  package func note(since start: ContinuousClock.Instant) {
    let (seconds, attoseconds) = (ContinuousClock.now - start).components
    let nanoseconds = UInt64(max(0, seconds)) * 1_000_000_000 + UInt64(attoseconds / 1_000_000_000)
    state.withLock { $0.add(nanoseconds: nanoseconds) }
  }
}

/// Histogram of durations, fine enough for a 99th percentile.
package struct DurationHistogram: Hashable, Sendable {
  /// Upper bounds in seconds; six for each power of ten, so that a quantile is accurate within two
  /// thirds.
  package static let bounds = [
    0.0001, 0.00015, 0.0002, 0.0003, 0.0005, 0.0007,
    0.001, 0.0015, 0.002, 0.003, 0.005, 0.007,
    0.01, 0.015, 0.02, 0.03, 0.05, 0.07,
    0.1, 0.15, 0.2, 0.3, 0.5, 0.7,
    1, 1.5, 2, 3, 5, 7,
    10,
  ]
  private static let nanosecondBounds = bounds.map { UInt64(($0 * 1e9).rounded()) }

  /// Durations up to the bound of the same index and above the one before; the last one counts the
  /// rest.
  package private(set) var counts = [Int](repeating: 0, count: bounds.count + 1)
  package private(set) var nanoseconds: UInt64 = 0

  package init() {}

  package mutating func add(nanoseconds duration: UInt64) {
    let position = Self.nanosecondBounds.firstIndex { duration <= $0 } ?? Self.bounds.count
    counts[position] += 1
    nanoseconds += duration
  }
}
