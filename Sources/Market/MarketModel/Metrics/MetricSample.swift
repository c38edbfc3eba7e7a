/// Value of a metric at one moment.
package struct MetricSample: Sendable {
  package enum Value: Sendable {
    case number(Double)
    case durations(DurationHistogram)
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
