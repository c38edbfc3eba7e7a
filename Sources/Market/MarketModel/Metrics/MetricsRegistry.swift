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
