import MarketAPI
import MarketModel

/// Desk of one event loop for those who watch: the frames that some of them still have to take, and
/// whose turn it is to get them.
///
/// Belongs to the thread of its loop. Watchers share the frames; each has only a number and an offset.
final class WatcherScheduler {
  /// Watchers that are sent to between two looks at other sockets.
  private static let sentAtOnce = 128

  private unowned let loop: EventLoop
  private var broadcaster: ChangeBroadcaster?
  private var frames: [ChangeFrame] = []
  /// Number of the first of them.
  private var base = 0
  private var bytes = 0
  private var watchers: [UInt64: HTTPConnection] = [:]
  /// Watchers whose turn is to come.
  private var queue: [HTTPConnection] = []
  private var isQueueOld = false
  private var lastNumber: UInt64 = 0
  private var sentEvents = 0
  /// Answers to polls from a number on, with questions or without, as long as no frame follows.
  private var answers: [Bool: [Int: ServerResponse]] = [:]

  init(_ loop: EventLoop) {
    self.loop = loop
  }

  /// Number of the frame that is to come next.
  var end: Int { base + frames.count }

  /// Whether somebody's turn has come.
  var isDue: Bool { !queue.isEmpty || isQueueOld }

  /// Takes a watcher in and gives its number; it is told where it begins.
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

  /// Lets the hub find where a watcher goes on, which may have lost the frames after that place.
  func seek(_ number: UInt64, after cursor: ChangeCursor?, hasLost: Bool = false) {
    broadcaster?.seek(cursor, hasLost: hasLost) { [weak loop] in loop?.post(.placed(number, $0)) }
  }

  func place(_ number: UInt64, _ placement: ChangeBroadcaster.WatcherPosition) {
    watchers[number]?.didFindPlace(placement)
  }

  /// Takes a frame for all; whoever has not taken what was before the kept bytes is dropped.
  func take(_ frame: ChangeFrame) {
    frames.append(frame)
    bytes += frame.count
    answers = [:]
    while let first = frames.first, bytes - first.count >= loop.server.limits.watcherBytes {
      bytes -= first.count
      frames.removeFirst()
      base += 1
    }
    isQueueOld = true
  }

  /// Sends to some of those whose turn it is.
  func send() {
    if queue.isEmpty, isQueueOld {
      isQueueOld = false
      queue = Array(watchers.values)
    }
    for _ in 0..<min(Self.sentAtOnce, queue.count) { queue.removeLast().didGetNews() }
    guard queue.isEmpty, sentEvents > 0 else { return }
    loop.server.observe(.sentEvents(sentEvents))
    sentEvents = 0
  }

  /// The frame of a number; nil where it was given up.
  func frame(_ number: Int) -> ChangeFrame? {
    number >= base && number < end ? frames[number - base] : nil
  }

  /// Whether a watcher that is to take this frame next has lost some.
  func hasLost(_ number: Int) -> Bool { number < base }

  func didSend(_ frame: ChangeFrame) { sentEvents += frame.eventCount }

  /// The answer to a poll with all frames from a number on; nil where there is none.
  func answer(from number: Int, hasQuestions: Bool) -> ServerResponse? {
    guard number < end, number >= base else { return nil }
    if let known = answers[hasQuestions]?[number] { return known }
    let news = frames[(number - base)...].map(\.batch)
    let batch = ChangeBatch(
      changes: news.flatMap(\.changes), cursor: news[news.count - 1].cursor,
      isReset: news.contains(where: \.isReset))
    let answer = ServerResponse(ChangeCoding.answer(batch, hasQuestions: hasQuestions))
    answers[hasQuestions, default: [:]][number] = answer
    return answer
  }

  /// Ends all streams in good order, so that clients go on elsewhere.
  func end(with refusal: ServerResponse) {
    for watcher in watchers.values { watcher.endWatching(refusing: refusal) }
  }
}
