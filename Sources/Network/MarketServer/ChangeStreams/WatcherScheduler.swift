import MarketAPI
import MarketModel

/// Scheduler of one event loop's watchers: the frames to send, and the order of watchers.
///
/// Confined to the thread of its loop. Watchers share the frames; each has only a number and an offset.
final class WatcherScheduler {
  /// Maximum number of watchers that are sent to before other sockets are checked.
  private static let watchersAtOnce = 128

  private unowned let loop: EventLoop
  private var broadcaster: ChangeBroadcaster?
  private var frames: [ChangeFrame] = []
  /// Number of the first frame.
  private var base = 0
  private var bytes = 0
  private var watchers: [UInt64: HTTPConnection] = [:]
  /// Watchers to send to.
  private var queue: [HTTPConnection] = []
  private var hasNewFrames = false
  private var lastNumber: UInt64 = 0
  private var sentEvents = 0
  /// Poll responses by the number of their first frame; cleared by each new frame.
  private var answers: [Int: ServerResponse] = [:]

  init(_ loop: EventLoop) { self.loop = loop }

  /// Number of the next frame.
  var end: Int { base + frames.count }

  /// Whether watchers are to be sent to.
  var isDue: Bool { !queue.isEmpty || hasNewFrames }

  /// Adds a watcher and returns its number; `didSeek(_:)` follows.
  func add(_ connection: HTTPConnection, of broadcaster: ChangeBroadcaster) -> UInt64 {
    if self.broadcaster == nil {
      self.broadcaster = broadcaster
      base = broadcaster.subscribe { [weak loop] in loop?.post(.changes($0)) }
    }
    lastNumber += 1
    watchers[lastNumber] = connection
    broadcaster.enter()
    loop.server.observe(.beganWatching)
    return lastNumber
  }

  func remove(_ number: UInt64, isDropped: Bool) {
    guard watchers.removeValue(forKey: number) != nil else { return }
    broadcaster?.leave()
    loop.server.observe(.endedWatching(isDropped: isDropped))
  }

  /// Lets the broadcaster find the position of a watcher.
  func seek(_ number: UInt64, after cursor: ChangeCursor?) {
    broadcaster?.seek(cursor, from: base) { [weak loop] in loop?.post(.found(number, $0)) }
  }

  func didSeek(_ number: UInt64, _ position: ChangeBroadcaster.WatcherPosition) {
    watchers[number]?.didSeek(position)
  }

  /// Adds a frame.
  ///
  /// Frames beyond `watcherBytes` are dropped, and with them the streams that still need them.
  func append(_ frame: ChangeFrame) {
    frames.append(frame)
    bytes += frame.count
    answers = [:]
    while let first = frames.first, bytes - first.count >= loop.server.limits.watcherBytes {
      bytes -= first.count
      frames.removeFirst()
      base += 1
    }
    hasNewFrames = true
  }

  /// Sends to some of the waiting watchers.
  func send() {
    if queue.isEmpty, hasNewFrames {
      hasNewFrames = false
      queue = Array(watchers.values)
    }
    for _ in 0..<min(Self.watchersAtOnce, queue.count) { queue.removeLast().sendPending() }
    guard queue.isEmpty, sentEvents > 0 else { return }
    loop.server.observe(.sentEvents(sentEvents))
    sentEvents = 0
  }

  /// Frame with a number; nil if it was dropped or does not exist yet.
  func frame(_ number: Int) -> ChangeFrame? {
    number >= base && number < end ? frames[number - base] : nil
  }

  /// Whether the frame with a number was dropped.
  func hasDropped(_ number: Int) -> Bool { number < base }

  func didSend(_ frame: ChangeFrame) { sentEvents += frame.eventCount }

  /// Poll response with all frames from a number on; nil if there are none.
  func answer(from number: Int) -> ServerResponse? {
    guard number < end, number >= base else { return nil }
    if let known = answers[number] { return known }
    let news = frames[(number - base)...].map(\.batch)
    let batch = ChangeBatch(
      changes: news.flatMap(\.changes), cursor: news[news.count - 1].cursor,
      isReset: news.contains(where: \.isReset))
    let answer = ServerResponse(ChangeCoding.answer(batch))
    answers[number] = answer
    return answer
  }

  /// Ends all subscriptions, so that their clients reconnect elsewhere.
  func end(with refusal: ServerResponse) {
    for watcher in watchers.values { watcher.endWatching(refusing: refusal) }
  }
}
