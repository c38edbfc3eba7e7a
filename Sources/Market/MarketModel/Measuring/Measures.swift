import Synchronization

/// Numbers of what a server and its store do, gathered from wherever they arise.
///
/// Whoever counts asks once for a meter and keeps it, so that counting is one step of an atomic.
package final class Measures: Sendable {
  private struct Key: Hashable {
    let metric: Metric
    let labels: [String]
  }

  private struct State {
    var counters: [Key: CountMeter] = [:]
    var timers: [Key: TimeMeter] = [:]
    var gauges: [Key: @Sendable () -> Double] = [:]
  }

  private let state = Mutex(State())

  package init() {}

  /// The counter of a metric with these values of its labels.
  package func counter(_ metric: Metric, _ labels: String...) -> CountMeter {
    let key = Key(metric: metric, labels: labels)
    return state.withLock { state in
      if let known = state.counters[key] { return known }
      let meter = CountMeter()
      state.counters[key] = meter
      return meter
    }
  }

  /// The histogram of a metric with these values of its labels.
  package func timer(_ metric: Metric, _ labels: String...) -> TimeMeter {
    let key = Key(metric: metric, labels: labels)
    return state.withLock { state in
      if let known = state.timers[key] { return known }
      let meter = TimeMeter()
      state.timers[key] = meter
      return meter
    }
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

/// Value of a metric at one moment.
package struct MetricSample: Sendable {
  package enum Value: Sendable {
    case number(Double)
    case durations(DurationCounts)
  }

  package let metric: Metric
  /// In the order of the metric's labels.
  package let labels: [String]
  package let value: Value

  package init(_ metric: Metric, _ labels: [String], _ value: Value) {
    self.metric = metric
    self.labels = labels
    self.value = value
  }

  /// The value of a metric without labels.
  package init(_ metric: Metric, _ value: Value) { self.init(metric, [], value) }
}

/// Counter of one thing.
package final class CountMeter: Sendable {
  private let value = Atomic(0)

  fileprivate init() {}

  package var count: Int { value.load(ordering: .relaxed) }

  package func add(_ more: Int = 1) { value.add(more, ordering: .relaxed) }
}

/// Counter of how long one thing takes.
package final class TimeMeter: Sendable {
  private let state = Mutex(DurationCounts())

  fileprivate init() {}

  package var counts: DurationCounts { state.withLock { $0 } }

  /// Counts what began at a moment and is over now.
  package func note(since start: ContinuousClock.Instant) {
    let (seconds, attoseconds) = (ContinuousClock.now - start).components
    let nanoseconds = UInt64(max(0, seconds)) * 1_000_000_000 + UInt64(attoseconds / 1_000_000_000)
    state.withLock { $0.add(nanoseconds: nanoseconds) }
  }
}
