import MarketModel

/// Metrics in Prometheus' text format, version 0.0.4.
enum MetricsText {
  static func text(of samples: [MetricSample]) -> String {
    let byMetric = Dictionary(grouping: samples, by: \.metric)
    var text = ""
    for metric in Metric.allCases {
      guard let samples = byMetric[metric] else { continue }
      let description = metric.description
      text += "# HELP \(metric.rawValue) \(description.meaning)\n"
      text += "# TYPE \(metric.rawValue) \(description.kind.rawValue)\n"
      for sample in samples.sorted(by: { $0.labels.lexicographicallyPrecedes($1.labels) }) {
        append(sample, to: &text)
      }
    }
    return text
  }

  private static func append(_ sample: MetricSample, to text: inout String) {
    let name = sample.metric.rawValue
    let labels = zip(sample.metric.description.labels, sample.labels).map {
      "\($0)=\"\(escaped($1))\""
    }
    let suffix = labels.isEmpty ? "" : "{\(labels.joined(separator: ","))}"
    switch sample.value {
    case .number(let value): text += "\(name)\(suffix) \(number(value))\n"
    case .durations(let durations):
      var count = 0
      for (bound, more) in zip(DurationHistogram.bounds.map(number) + ["+Inf"], durations.counts) {
        count += more
        let bounded = (labels + ["le=\"\(bound)\""]).joined(separator: ",")
        text += "\(name)_bucket{\(bounded)} \(count)\n"
      }
      text += "\(name)_sum\(suffix) \(number(Double(durations.nanoseconds) / 1e9))\n"
      text += "\(name)_count\(suffix) \(count)\n"
    }
  }

  /// Number without a fraction if it is whole: `3`, `0.25`.
  private static func number(_ value: Double) -> String {
    guard let whole = Int(exactly: value) else { return "\(value)" }
    return String(whole)
  }

  private static func escaped(_ value: String) -> String {
    var text = ""
    for character in value {
      switch character {
      case "\\": text += "\\\\"
      case "\"": text += "\\\""
      case "\n": text += "\\n"
      default: text.append(character)
      }
    }
    return text
  }
}
