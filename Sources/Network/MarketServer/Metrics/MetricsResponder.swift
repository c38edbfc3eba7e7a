import MarketAPI
import MarketModel

/// Responder to `GET /metrics`; passes other requests to `next`.
package struct MetricsResponder: HTTPResponder {
  /// Clients that may read the metrics; for others the path does not exist.
  package enum Audience: Sendable {
    /// Clients on this machine, also by a trusted proxy's headers.
    case local
    case everybody
    case nobody
  }

  private static let target = "/metrics"

  private let metrics: ServerMetrics
  private let audience: Audience
  private let next: any HTTPResponder

  package init(
    _ metrics: ServerMetrics, for audience: Audience, before next: any HTTPResponder
  ) {
    self.metrics = metrics
    self.audience = audience
    self.next = next
  }

  package func immediateResponse(to request: ServerRequest) -> ServerResponse? {
    guard request.target == Self.target, request.isReading, isAllowed(request.client) else {
      return next.immediateResponse(to: request)
    }
    return ServerResponse(
      HTTPResponse(
        .ok,
        headers: [
          HeaderName.contentType: "text/plain; version=0.0.4; charset=utf-8",
          HeaderName.cacheControl: "no-store",
        ],
        body: Array(MetricsText.text(of: metrics.samples()).utf8)))
  }

  package func bodyLimit(for request: ServerRequest) -> Int? { next.bodyLimit(for: request) }

  package func refusal(ofLargeBody request: ServerRequest) -> ServerResponse? {
    next.refusal(ofLargeBody: request)
  }

  package func response(to request: ServerRequest) async -> ServerResponse {
    await next.response(to: request)
  }

  private func isAllowed(_ client: RemoteClient) -> Bool {
    switch audience {
    case .local: client.isLocal
    case .everybody: true
    case .nobody: false
    }
  }
}

extension RemoteClient {
  /// Whether the client is on this machine (RFC 5735, section 3; RFC 4291, section 2.5.3).
  fileprivate var isLocal: Bool { address.hasPrefix("127.") || address == "::1" }
}

/// Responder that answers 404 to every request; the end of a chain.
package struct NotFoundResponder: HTTPResponder {
  package init() {}

  package func immediateResponse(to request: ServerRequest) -> ServerResponse? {
    .refusal(.notFound)
  }

  package func response(to request: ServerRequest) async -> ServerResponse { .refusal(.notFound) }
}

/// Metrics in Prometheus' text format, version 0.0.4.
private enum MetricsText {
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
