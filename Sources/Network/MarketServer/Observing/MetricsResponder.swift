import Glibc
import MarketAPI
import Synchronization

/// Responder to `GET /metrics`, which leaves everything else to another one.
package struct MetricsResponder: HTTPResponder {
  private static let target = "/metrics"

  private let metrics: ServerMetrics
  private let log: RequestLog
  private let next: any HTTPResponder

  package init(
    _ metrics: ServerMetrics, _ log: RequestLog, before next: any HTTPResponder
  ) {
    self.metrics = metrics
    self.log = log
    self.next = next
  }

  package func knownResponse(to request: ServerRequest) -> ServerResponse? {
    guard request.target == Self.target, request.isReading else {
      return next.knownResponse(to: request)
    }
    let text = metrics.text(
      residentBytes: Self.residentBytes(), lostLogLines: log.lostCount)
    return ServerResponse(
      HTTPResponse(
        .ok,
        headers: [
          HeaderName.contentType: "text/plain; version=0.0.4; charset=utf-8",
          HeaderName.cacheControl: "no-store",
        ],
        body: Array(text.utf8)))
  }

  package func response(to request: ServerRequest) async -> ServerResponse {
    await next.response(to: request)
  }

  /// The second number of `/proc/self/statm`, in pages (proc(5)); 0 where there is none.
  private static func residentBytes() -> Int {
    guard let file = fopen("/proc/self/statm", "r") else { return 0 }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 128)
    guard fgets(&line, Int32(line.count), file) != nil else { return 0 }
    let words = String(
      decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self
    )
    .split(separator: " ")
    return words.count > 1 ? (Int(words[1]) ?? 0) * sysconf(Int32(_SC_PAGESIZE)) : 0
  }
}

/// Metrics of a server: numbers of what has happened since it began.
package final class ServerMetrics: Sendable {
  private struct Kind: Hashable, Comparable {
    let method: String
    let status: Int

    static func < (left: Kind, right: Kind) -> Bool {
      (left.method, left.status) < (right.method, right.status)
    }
  }

  private struct State {
    var requests: [Kind: Int] = [:]
    /// Requests that took at most the bound of the same place; the last one has none.
    var durations = [Int](repeating: 0, count: bounds.count + 1)
    var nanoseconds: UInt64 = 0
    var sentBytes = 0
    var connections = 0
    var watchers = 0
    var droppedWatchers = 0
    var sentEvents = 0
  }

  private static let methods: Set = ["GET", "HEAD", "POST", "PATCH", "DELETE"]
  /// In seconds.
  private static let bounds = [0.0001, 0.001, 0.01, 0.1, 1, 10]

  private let state = Mutex(State())

  package init() {}

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
      method: Self.methods.contains(method) ? method : "other",
      status: request.status?.rawValue ?? 0)
    let seconds = Double(request.nanoseconds) / 1e9
    let place = Self.bounds.firstIndex { seconds <= $0 } ?? Self.bounds.count
    state.withLock { state in
      state.requests[kind, default: 0] += 1
      state.sentBytes += request.byteCount
      guard !request.isWatch else { return }
      state.durations[place] += 1
      state.nanoseconds += request.nanoseconds
    }
  }

  /// All numbers in Prometheus' text format, version 0.0.4, with the process's memory and the
  /// number of requests of which the log has no line.
  func text(residentBytes: Int, lostLogLines: Int) -> String {
    let (state, requests) = state.withLock { ($0, $0.requests.sorted { $0.key < $1.key }) }
    var text = "# TYPE market_requests_total counter\n"
    for (kind, count) in requests {
      text +=
        "market_requests_total"
        + "{method=\"\(kind.method)\",status=\"\(kind.status)\"} \(count)\n"
    }
    text += "# TYPE market_request_seconds histogram\n"
    var count = 0
    for (bound, more) in zip(Self.bounds.map { "\($0)" } + ["+Inf"], state.durations) {
      count += more
      text += "market_request_seconds_bucket{le=\"\(bound)\"} \(count)\n"
    }
    text += """
      market_request_seconds_sum \(Double(state.nanoseconds) / 1e9)
      market_request_seconds_count \(count)
      # TYPE market_sent_bytes_total counter
      market_sent_bytes_total \(state.sentBytes)
      # TYPE market_connections gauge
      market_connections \(state.connections)
      # TYPE market_watchers gauge
      market_watchers \(state.watchers)
      # TYPE market_watchers_dropped_total counter
      market_watchers_dropped_total \(state.droppedWatchers)
      # TYPE market_events_sent_total counter
      market_events_sent_total \(state.sentEvents)
      # TYPE market_lost_log_lines_total counter
      market_lost_log_lines_total \(lostLogLines)
      # TYPE process_resident_memory_bytes gauge
      process_resident_memory_bytes \(residentBytes)

      """
    return text
  }
}
