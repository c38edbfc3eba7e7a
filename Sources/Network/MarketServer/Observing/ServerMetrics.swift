import Glibc
import MarketAPI
import MarketModel
import Synchronization

/// Metrics of a server: numbers of what has happened since it began.
package final class ServerMetrics: Sendable {
  private struct Kind: Hashable {
    let route: Int
    let method: String
  }

  private struct State {
    var requests: [Kind: [Int: Int]] = [:]
    var durations: [Kind: DurationCounts] = [:]
    /// By route.
    var sentBytes = [Int](repeating: 0, count: ServedRoute.count)
    var connections = 0
    var watchers = 0
    var droppedWatchers = 0
    var sentEvents = 0
  }

  private static let methods: Set = ["GET", "HEAD", "POST", "PATCH", "DELETE"]

  private let measures: Measures
  private let log: RequestLog
  private let version: String
  private let start = time(nil)
  private let state = Mutex(State())

  /// Metrics of a server of a version; `measures` are those of everything behind it.
  package init(_ measures: Measures, _ log: RequestLog, version: String) {
    self.measures = measures
    self.log = log
    self.version = version
  }

  package func record(_ event: ServerEvent) {
    switch event {
    case .connected: state.withLock { $0.connections += 1 }
    case .disconnected: state.withLock { $0.connections -= 1 }
    case .finished(let request): record(request)
    case .beganWatching: state.withLock { $0.watchers += 1 }
    case .endedWatching(let isDropped):
      state.withLock { state in
        state.watchers -= 1
        if isDropped { state.droppedWatchers += 1 }
      }
    case .sentEvents(let count): state.withLock { $0.sentEvents += count }
    }
  }

  private func record(_ request: FinishedRequest) {
    let method = request.method.rawValue
    // Clients choose methods; they do not choose how many rows there are.
    let kind = Kind(
      route: ServedRoute.place(of: request.target),
      method: Self.methods.contains(method) ? method : "other")
    let status = request.status?.rawValue ?? 0
    state.withLock { state in
      state.requests[kind, default: [:]][status, default: 0] += 1
      state.sentBytes[kind.route] += request.byteCount
      guard !request.isWatch else { return }
      state.durations[kind, default: DurationCounts()].add(nanoseconds: request.nanoseconds)
    }
  }

  /// All numbers: of the server, of what is behind it, and of the process.
  func samples() -> [MetricSample] {
    let state = state.withLock { $0 }
    var samples = measures.samples() + ProcessNumbers.samples(since: start)
    for (kind, statuses) in state.requests {
      for (status, count) in statuses {
        let labels = [ServedRoute.label(at: kind.route), kind.method, String(status)]
        samples.append(MetricSample(.requests, labels, .number(Double(count))))
      }
    }
    for (kind, durations) in state.durations {
      samples.append(
        MetricSample(
          .requestTime, [ServedRoute.label(at: kind.route), kind.method], .durations(durations)))
    }
    for (route, count) in state.sentBytes.enumerated() where count > 0 {
      samples.append(
        MetricSample(.sentBytes, [ServedRoute.label(at: route)], .number(Double(count))))
    }
    let counts: [(Metric, Int)] = [
      (.connections, state.connections), (.watchers, state.watchers),
      (.droppedWatchers, state.droppedWatchers), (.sentEvents, state.sentEvents),
      (.lostLogLines, log.lostCount),
    ]
    for (metric, count) in counts {
      samples.append(MetricSample(metric, .number(Double(count))))
    }
    samples.append(MetricSample(.version, [version], .number(1)))
    return samples
  }
}
