import Glibc
import MarketAPI

/// Answers `GET /metrics` and leaves everything else to another responder.
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
