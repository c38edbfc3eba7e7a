import Glibc
import MarketAPI
import MarketModel

/// State of one watcher: its position, and the bytes for it alone.
struct WatcherState {
  /// Way in which the client receives changes.
  enum Form {
    case stream(isChunked: Bool)
    /// Poll that is answered by `end` at the latest, in nanoseconds of the monotonic clock.
    case poll(end: UInt64)
  }

  let number: UInt64
  let form: Form
  let client: ClientNetwork
  /// Number of the next frame; nil until it is known.
  var next: Int?
  /// Sent bytes of that frame.
  var offset = 0
  /// Cursor up to which the client has all changes, before that frame; nil if there is none.
  var cursor: ChangeCursor?
  /// Whether the client has a cursor, sent by it or to it.
  var clientHasCursor: Bool
  /// Whether the watcher seeks again after its own bytes.
  var seeksAgain = false
  /// Bytes for this watcher alone: head, hello event, heartbeats and missed changes.
  private(set) var own: [UInt8] = []
  private var sentOwn = 0
  private(set) var sentBytes = 0
  /// Whether the socket's send buffer is full.
  var isBlocked = false
  /// Heartbeats that were due while the stream was blocked.
  var missedHeartbeats = 0
  var isEnding = false

  init(_ number: UInt64, _ form: Form, of client: ClientNetwork, _ request: ChangesRequest) {
    self.number = number
    self.form = form
    self.client = client
    cursor = request.cursor
    clientHasCursor = cursor != nil
  }

  var hasOwn: Bool { sentOwn < own.count }

  mutating func add(_ bytes: some Sequence<UInt8>) { own += bytes }

  /// Adds an event or comment for this watcher, chunked if the stream is.
  mutating func addContent(_ bytes: [UInt8]) {
    if case .stream(true) = form { own += ChangeFrame.chunk(bytes).chunk } else { own += bytes }
  }

  /// Sends as much of its own bytes as the socket accepts.
  mutating func sendOwn(on descriptor: Int32) -> OutgoingResponse.Progress {
    let progress = Self.send(own[sentOwn...], on: descriptor, &sentOwn, &sentBytes)
    if !hasOwn { (own, sentOwn) = ([], 0) }
    return progress
  }

  /// Sends as much of the next frame as the socket accepts.
  mutating func send(_ frame: ChangeFrame, on descriptor: Int32) -> OutgoingResponse.Progress {
    guard case .stream(let isChunked) = form else { return .done }
    let rest = frame.bytes(isChunked: isChunked).dropFirst(offset)
    let progress = Self.send(rest, on: descriptor, &offset, &sentBytes)
    if case .done = progress {
      next = next.map { $0 + 1 }
      offset = 0
    }
    return progress
  }

  private static func send(
    _ bytes: ArraySlice<UInt8>, on descriptor: Int32, _ sent: inout Int, _ total: inout Int
  ) -> OutgoingResponse.Progress {
    var rest = bytes
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if count > 0 {
        rest = rest.dropFirst(count)
        sent += count
        total += count
      } else if errno == EAGAIN {
        return .blocked
      } else if errno != EINTR {
        return .broken
      }
    }
    return .done
  }
}
