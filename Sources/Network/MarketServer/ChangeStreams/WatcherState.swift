import Glibc
import MarketAPI
import MarketModel

/// State of one watcher: where it is, and what it alone has still to take.
struct WatcherState {
  enum Form {
    case stream(isChunked: Bool)
    /// One answer, at a time of the monotonic clock at the latest.
    case poll(end: UInt64)
  }

  let number: UInt64
  let form: Form
  let client: ClientNetwork
  /// Whether the client asked for questions, and so knows places in their log.
  let hasQuestions: Bool
  /// Number of the frame that is sent next; nil until it is known.
  var next: Int?
  /// Bytes of that frame that are sent.
  var offset = 0
  /// The place up to which everything was told, before that frame.
  var cursor: ChangeCursor?
  /// Whether the client was told a place, or named one.
  var isGreeted: Bool
  /// Whether it is not level yet and asks again when its own bytes are out.
  var seeksAgain = false
  /// Bytes for this watcher alone: head, greeting, comments, and what it had missed.
  private(set) var own: [UInt8] = []
  private var sentOwn = 0
  private(set) var sentBytes = 0
  /// Whether the client has to take more first.
  var isBlocked = false
  /// Comments that were due while it took nothing.
  var silence = 0
  var isEnding = false

  init(_ number: UInt64, _ form: Form, of client: ClientNetwork, _ request: ChangesRequest) {
    self.number = number
    self.form = form
    self.client = client
    hasQuestions = request.hasQuestions
    cursor = request.cursor
    isGreeted = cursor != nil
  }

  var hasOwn: Bool { sentOwn < own.count }

  mutating func add(_ bytes: some Sequence<UInt8>) { own += bytes }

  /// Adds an event or a comment of its own, in the form of the stream.
  mutating func addContent(_ bytes: [UInt8]) {
    if case .stream(true) = form { own += ChangeFrame.chunk(bytes).chunk } else { own += bytes }
  }

  /// Hands as much as a socket takes of its own bytes over.
  mutating func sendOwn(on descriptor: Int32) -> OutgoingResponse.Progress {
    let progress = Self.send(own[sentOwn...], on: descriptor, &sentOwn, &sentBytes)
    if !hasOwn { (own, sentOwn) = ([], 0) }
    return progress
  }

  /// Hands as much as a socket takes of the next frame over.
  mutating func send(_ frame: ChangeFrame, on descriptor: Int32) -> OutgoingResponse.Progress {
    guard case .stream(let isChunked) = form else { return .done }
    let rest = frame.bytes(isChunked: isChunked, hasQuestions: hasQuestions).dropFirst(offset)
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
