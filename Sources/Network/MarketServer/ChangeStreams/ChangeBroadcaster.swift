import MarketModel
import Synchronization

/// Broadcaster of a market's changes: one reader of the change log for all watchers (change
/// subscriptions).
///
/// The reader polls the log while there are watchers. It keeps a head, the cursor up to which all
/// changes are published; each batch after it is a frame that all watchers share.
///
/// A watcher at a cursor of another server, or older than the frames, gets what it has missed from the
/// log, until nothing follows its cursor. Cursors have no order, but reads do: if the head existed before
/// that read, and nothing follows the head afterwards, both have the same changes.
package final class ChangeBroadcaster: Sendable {
  /// Position of a watcher in the sequence of frames.
  enum WatcherPosition: Sendable {
    /// At `cursor`, which the frame numbered `next` follows.
    case joined(next: Int, cursor: ChangeCursor)
    /// Changes that it has missed, after which the watcher seeks again.
    case missed(ChangeFrame)
    /// The log cannot be read.
    case failed
  }

  /// Function that passes frames to an event loop, in order.
  typealias Subscriber = @Sendable (ChangeFrame) -> Void
  typealias Reply = @Sendable (WatcherPosition) -> Void

  private struct Seeker {
    /// Nil begins at the head.
    let cursor: ChangeCursor?
    let reply: Reply
  }

  private struct State {
    var watchers = 0
    var isReading = false
    /// Whether the head was read since the reader started.
    var isFresh = false
    /// Time when the last watcher left, in nanoseconds of the monotonic clock.
    var idleSince: UInt64 = 0
    var head: ChangeCursor?
    /// Data version of the head; nil if unknown.
    var version: Int64?
    /// Last frames, and the number of the next one.
    var recent: [ChangeFrame] = []
    var nextNumber = 0
    /// Watchers whose position the reader has to find.
    var seekers: [Seeker] = []
    var subscribers: [Subscriber] = []

    /// Position of a watcher at a cursor; nil if the frames from number `base` on do not follow it.
    func position(after cursor: ChangeCursor?, from base: Int) -> WatcherPosition? {
      guard let head else { return nil }
      if cursor == head || cursor == nil && isFresh {
        return .joined(next: nextNumber, cursor: head)
      }
      guard let cursor, let index = recent.lastIndex(where: { cursor == $0.batch.cursor }) else {
        return nil
      }
      let next = nextNumber - recent.count + index + 1
      return next < base ? nil : .joined(next: next, cursor: cursor)
    }
  }

  /// Maximum number of changes in a frame; 64 KiB hold more.
  static let batchLimit = 200
  /// Maximum number of frames kept for reconnecting watchers; older positions read the log.
  private static let recentLimit = 128
  private static let seekersAtOnce = 256
  /// Number of watchers above which the reader waits for `longPause`, so that frames hold more changes.
  private static let fewWatchers = 100
  /// Pauses between two reads of the log: with few watchers, with many, and after a failure.
  private static let shortPause = Duration.milliseconds(50)
  private static let longPause = Duration.milliseconds(200)
  private static let failurePause = Duration.seconds(1)
  /// Time for which the head is kept without watchers: between two polls, or after a short
  /// disconnection.
  private static let idleLifetime: UInt64 = 30_000_000_000

  private let log: any ChangeLog
  private let clock: any Clock<Duration>
  private let state = Mutex(State())

  /// Creates a broadcaster, which does not read the log before the first watcher.
  package init(_ log: any ChangeLog, on clock: any Clock<Duration> = ContinuousClock()) {
    self.log = log
    self.clock = clock
  }

  /// Adds an event loop; returns the number of the first frame that it will receive.
  func subscribe(_ subscriber: @escaping Subscriber) -> Int {
    state.withLock { state in
      state.subscribers.append(subscriber)
      return state.nextNumber
    }
  }

  /// Counts a watcher and starts the reader if it does not run.
  func enter() {
    let starts = state.withLock { state in
      state.watchers += 1
      guard !state.isReading else { return false }
      (state.isReading, state.isFresh) = (true, false)
      if MonotonicClock.nanoseconds() - state.idleSince > Self.idleLifetime {
        (state.head, state.version, state.recent) = (nil, nil, [])
      }
      return true
    }
    if starts { Task { await self.read() } }
  }

  /// Counts a watcher less.
  func leave() {
    state.withLock { state in
      state.watchers -= 1
      if state.watchers == 0 { state.idleSince = MonotonicClock.nanoseconds() }
    }
  }

  /// Finds the position of a watcher that has all changes up to `cursor`, or begins now if it is nil,
  /// and whose event loop has the frames from number `base` on.
  ///
  /// The reply comes at once or from the reader.
  func seek(_ cursor: ChangeCursor?, from base: Int, _ reply: @escaping Reply) {
    let known = state.withLock { state in
      let known = state.position(after: cursor, from: base)
      if known == nil { state.seekers.append(Seeker(cursor: cursor, reply: reply)) }
      return known
    }
    if let known { reply(known) }
  }
}

// The reader.
extension ChangeBroadcaster {
  private func read() async {
    while true {
      var pause =
        state.withLock { $0.watchers <= Self.fewWatchers } ? Self.shortPause : Self.longPause
      do throws(RepositoryError) {
        repeat { try await readHead() } while try await answerSeekers()
      } catch {
        let seekers = state.withLock { state in
          defer { state.seekers = [] }
          return state.seekers
        }
        for seeker in seekers { seeker.reply(.failed) }
        pause = Self.failurePause
      }
      try? await clock.sleep(for: pause)
      let isOver = state.withLock { state in
        state.isReading = state.watchers > 0 || !state.seekers.isEmpty
        return !state.isReading
      }
      if isOver { return }
    }
  }

  /// Reads and publishes everything after the head; true if there was anything.
  /// - Throws: what the log throws.
  @discardableResult
  private func readHead() async throws(RepositoryError) -> Bool {
    var hasNews = false
    while true {
      let (head, known) = state.withLock { ($0.head, $0.version) }
      // Read before the log, so that a concurrent change leads to another version.
      let version = log.dataVersion()
      if head != nil, let version, version == known { return hasNews }
      let batch = try await log.changes(after: head, atMost: Self.batchLimit)
      let isWhole = batch.changes.count < Self.batchLimit
      hasNews = publish(batch, version: isWhole ? version : nil) || hasNews
      if isWhole { return hasNews }
    }
  }

  /// Moves the head and publishes the batch; false if there was no earlier head or no change.
  private func publish(_ batch: ChangeBatch, version: Int64?) -> Bool {
    let frame = ChangeFrame(batch)
    let subscribers = state.withLock { state -> [Subscriber]? in
      let isFirst = state.head == nil
      (state.head, state.version) = (batch.cursor, version)
      guard !isFirst, !frame.isEmpty else { return nil }
      state.recent.append(frame)
      state.nextNumber += 1
      if state.recent.count > Self.recentLimit { state.recent.removeFirst() }
      return state.subscribers
    }
    for subscriber in subscribers ?? [] { subscriber(frame) }
    return subscribers != nil
  }

  /// Replies to some of the watchers that seek; true if others wait.
  /// - Throws: what the log throws for the head.
  private func answerSeekers() async throws(RepositoryError) -> Bool {
    let seekers = state.withLock { state in
      state.isFresh = true
      let taken = state.seekers.prefix(Self.seekersAtOnce)
      state.seekers.removeFirst(taken.count)
      return taken
    }
    var current: [Seeker] = []
    for (cursor, group) in Dictionary(grouping: seekers, by: \.cursor) {
      guard let cursor else {
        join(group)
        continue
      }
      do throws(RepositoryError) {
        let frame = ChangeFrame(try await log.changes(after: cursor, atMost: Self.batchLimit))
        if frame.isEmpty { current += group }
        for seeker in group where !frame.isEmpty { seeker.reply(.missed(frame)) }
      } catch {
        for seeker in group { seeker.reply(.failed) }
      }
    }
    if !current.isEmpty {
      state.withLock { $0.seekers = current + $0.seekers }
      if try await !readHead() {
        state.withLock { $0.seekers.removeFirst(current.count) }
        join(current)
      }
    }
    return state.withLock { !$0.seekers.isEmpty }
  }

  /// Lets watchers that have all changes up to the head continue there.
  private func join(_ seekers: [Seeker]) {
    let (head, next) = state.withLock { ($0.head, $0.nextNumber) }
    for seeker in seekers { seeker.reply(head.map { .joined(next: next, cursor: $0) } ?? .failed) }
  }
}
