import Glibc
import MarketAPI
import MarketModel
import Synchronization

/// Metrics of a server since its start.
package final class ServerMetrics: Sendable {
  /// Counters of one route and method.
  private struct Row {
    /// Counts by status; 0 stands for no response.
    ///
    /// There are few statuses, so a list is enough.
    var requests: [(status: Int, count: Int)] = []
    var durations: DurationHistogram?

    mutating func add(_ request: FinishedRequest) {
      let status = request.status?.rawValue ?? 0
      if let index = requests.firstIndex(where: { $0.status == status }) {
        requests[index].count += 1
      } else {
        requests.append((status, 1))
      }
      guard !request.isWatch else { return }
      if durations == nil { durations = DurationHistogram() }
      durations?.add(nanoseconds: request.nanoseconds)
    }
  }

  private struct State {
    /// Rows by route, then by method.
    var rows = [Row](repeating: Row(), count: MetricRoute.count * methods.count)
    /// Body bytes by route.
    var sentBytes = [Int](repeating: 0, count: MetricRoute.count)
    var connections = 0
    var watchers = 0
    var droppedWatchers = 0
    var sentEvents = 0
  }

  /// Labels of methods; the last one stands for all others.
  private static let methods = ["GET", "HEAD", "POST", "PATCH", "DELETE", "other"]

  private let registry: MetricsRegistry
  private let log: RequestLog
  private let version: String
  private let start = time(nil)
  private let state = Mutex(State())

  /// Creates the metrics of a server with a program `version`; `registry` holds those of the components
  /// behind it.
  package init(_ registry: MetricsRegistry, _ log: RequestLog, version: String) {
    self.registry = registry
    self.log = log
    self.version = version
  }

  /// Counts an event; may be called from any thread.
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
    let route = MetricRoute.index(of: request.target)
    // Clients choose methods, but must not choose the number of rows.
    let method =
      Self.methods.firstIndex(of: request.method.rawValue) ?? Self.methods.count - 1
    state.withLock { state in
      state.rows[route * Self.methods.count + method].add(request)
      state.sentBytes[route] += request.byteCount
    }
  }

  /// All samples: of the server, the components behind it, and the process.
  func samples() -> [MetricSample] {
    let state = state.withLock { $0 }
    var samples = registry.samples() + ProcessMetrics.samples(since: start)
    for (index, row) in state.rows.enumerated() {
      let labels = [
        MetricRoute.label(at: index / Self.methods.count),
        Self.methods[index % Self.methods.count],
      ]
      for (status, count) in row.requests {
        samples.append(
          MetricSample(.requests, labels + [String(status)], .number(Double(count))))
      }
      if let durations = row.durations {
        samples.append(MetricSample(.requestTime, labels, .durations(durations)))
      }
    }
    for (route, count) in state.sentBytes.enumerated() where count > 0 {
      samples.append(
        MetricSample(.sentBytes, [MetricRoute.label(at: route)], .number(Double(count))))
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
