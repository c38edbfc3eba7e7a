import MarketAPI
import MarketModel

/// Request whose answer is not out yet: what its head said, and what is counted for it.
struct Exchange {
  var request: ServerRequest
  /// The target as it stood in the request line.
  let target: String
  let isKeptAlive: Bool
  let asksToKeepAlive: Bool
  let isHTTP10: Bool
  /// What the request is called in the log, and to whoever has to ask about it.
  let trace: TraceID
  private let began: UInt64
  /// Bytes of the body that are counted for its sender.
  var heldBytes = 0
  /// Bytes of the answer that are counted as not taken.
  var pendingOutput = 0
  var sent: ServerResponse?
  /// Whether the client watched, however long.
  var isWatch = false
  /// Bytes of a stream; nil where the answer has a length.
  var streamedBytes: Int?
  /// Reason why the server ended it; nil where it did not.
  var endReason: String?

  /// The exchange that begins at a time in nanoseconds; without a head it is none that can be read.
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

  /// What is told of it when it is over.
  func finished(at nanoseconds: UInt64) -> FinishedRequest {
    FinishedRequest(
      client: request.client, method: request.method, target: target,
      status: sent?.message.status, byteCount: streamedBytes ?? sent?.message.body.count ?? 0,
      nanoseconds: nanoseconds - began, reason: endReason ?? sent?.reason, isWatch: isWatch,
      trace: trace)
  }
}
