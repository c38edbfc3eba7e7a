import MarketAPI
import MarketModel

/// State of a request until its response is sent.
struct Exchange {
  var request: ServerRequest
  /// Target, as in the request line.
  let target: String
  let isKeptAlive: Bool
  let asksToKeepAlive: Bool
  let isHTTP10: Bool
  /// Trace id, written to the log and sent with error responses.
  let trace: TraceID
  private let began: UInt64
  /// Bytes of the body that count against `ServerLimits.allBodies`.
  var reservedBytes = 0
  /// Unsent bytes of the response that count against `ServerLimits.unsentBytes`.
  var pendingOutput = 0
  var sent: ServerResponse?
  /// Whether the client had a change subscription.
  var isWatch = false
  /// Bytes sent on a stream; nil if the response has a length.
  var streamedBytes: Int?
  /// Reason why the server ended the exchange; nil if it did not.
  var endReason: String?

  /// Creates an exchange that begins at `nanoseconds` of the monotonic clock; `head` is nil for an
  /// unreadable request.
  init(
    _ request: ServerRequest, _ head: RequestHead?, trace: TraceID, at nanoseconds: UInt64
  ) {
    self.request = request
    target = head?.target ?? request.target
    isKeptAlive = head?.isKeptAlive ?? false
    asksToKeepAlive = head?.asksToKeepAlive ?? false
    isHTTP10 = head?.isHTTP10 ?? false
    self.trace = trace
    began = nanoseconds
  }

  /// Access-log record of the finished request.
  func finished(at nanoseconds: UInt64) -> FinishedRequest {
    FinishedRequest(
      client: request.client, method: request.method, target: target,
      status: sent?.message.status, byteCount: streamedBytes ?? sent?.message.body.count ?? 0,
      nanoseconds: nanoseconds - began, reason: endReason ?? sent?.reason, isWatch: isWatch,
      trace: trace)
  }
}
