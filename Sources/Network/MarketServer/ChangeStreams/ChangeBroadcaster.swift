import MarketModel
import Synchronization

/// Broadcaster of a market's changes: one reader of the change log for all watchers (change
/// subscriptions).
///
/// The reader polls the log while there are watchers. It keeps a head, the cursor up to which all
/// changes are published; each batch after it is a frame that all watchers share.
///
/// A watcher at another cursor reads the log from there until it has caught up with the head. Cursors
/// have no order, but reads do: if the head existed before the watcher read everything, and nothing
/// follows the head afterwards, both have the same changes.
package final class ChangeBroadcaster: Sendable {
  /// Position of a watcher in the sequence of frames.
  enum WatcherPosition: Sendable {
    /// Caught up with the head after `missed`; continues with the frame numbered `next`.
    case joined(next: Int, cursor: ChangeCursor, missed: ChangeFrame?)
    /// Not caught up: the next missed changes, after which the watcher seeks again.
    case part(ChangeFrame)
    /// The log cannot be read.
    case failed
  }

  /// Function that passes frames to an event loop, in order.
  typealias Subscriber = @Sendable (ChangeFrame) -> Void
  typealias Reply = @Sendable (WatcherPosition) -> Void

  private struct CatchUpRequest {
    let cursor: ChangeCursor
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
    var seekers: [CatchUpRequest] = []
    /// Replies to new watchers that wait for a fresh head.
    var pendingWatchers: [Reply] = []
    var subscribers: [Subscriber] = []

    /// Position of a watcher that has all changes up to `cursor`; nil if the cursor is not among the
    /// recent ones.
    func placement(after cursor: ChangeCursor) -> WatcherPosition? {
      guard let head else { return nil }
      if cursor == head { return .joined(next: nextNumber, cursor: head, missed: nil) }
      guard let index = recent.lastIndex(where: { cursor == $0.batch.cursor }) else { return nil }
      return .joined(
        next: nextNumber - recent.count + index + 1, cursor: cursor, missed: nil)
    }
  }

  /// Maximum number of changes in a frame; 64 KiB hold more.
  private static let batchLimit = 200
  /// Maximum number of frames kept for reconnecting watchers; older positions read the log.
  private static let recentLimit = 128
  /// Number of rounds in which one pass of the reader lets watchers catch up.
  private static let attempts = 4
  private static let seekersAtOnce = 256
  /// Number of watchers above which the reader waits for `longPause`, so that frames hold more changes.
  private static let fewWatchers = 100
  /// Pauses between two reads of the log: with few watchers, with many, and after a failure.
  private static let shortPause = Duration.milliseconds(50)
  private static let longPause = Duration.milliseconds(200)
  private static let failurePause = Duration.seconds(1)
  /// Time for which the head is kept without watchers: between two polls, or after a short
  /// disconnection.
  private static let keptNanoseconds: UInt64 = 30_000_000_000

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
      if MonotonicClock.nanoseconds() - state.idleSince > Self.keptNanoseconds {
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

  /// Finds the position of a watcher that has all changes up to `cursor`, or begins now if it is nil.
  ///
  /// The reply comes at once or from the reader.
  ///
  /// `hasLost` says that the frames after `cursor` were dropped; they are then read from the log.
  func seek(_ cursor: ChangeCursor?, hasLost: Bool = false, _ reply: @escaping Reply) {
    let known = state.withLock { state -> WatcherPosition? in
      guard let cursor else {
        if state.isFresh, let head = state.head {
          return .joined(next: state.nextNumber, cursor: head, missed: nil)
        }
        state.pendingWatchers.append(reply)
        return nil
      }
      if !hasLost, let known = state.placement(after: cursor) { return known }
      state.seekers.append(CatchUpRequest(cursor: cursor, reply: reply))
      return nil
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
        try await readHead()
        startPendingWatchers()
        for _ in 0..<Self.attempts {
          guard try await place() else { break }
        }
      } catch {
        giveUpSeekers()
        pause = Self.failurePause
      }
      try? await clock.sleep(for: pause)
      let isOver = state.withLock { state in
        state.isReading =
          state.watchers > 0 || !state.seekers.isEmpty || !state.pendingWatchers.isEmpty
        return !state.isReading
      }
      if isOver { return }
    }
  }

  /// Reads and publishes everything after the head; true if there was anything.
  /// - Throws: what the log throws.
  @discardableResult
  private func readHead() async throws(RepositoryError) -> Bool {
    var isNews = false
    while true {
      let (head, known) = state.withLock { ($0.head, $0.version) }
      // Read before the log, so that a concurrent change leads to another version.
      let version = log.dataVersion()
      if head != nil, let version, version == known { return isNews }
      let batch = try await log.changes(after: head, atMost: Self.batchLimit)
      let isWhole = batch.changes.count < Self.batchLimit
      isNews = publish(batch, version: isWhole ? version : nil) || isNews
      if isWhole { return isNews }
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

  private func startPendingWatchers() {
    let (replies, head, next) = state.withLock { state in
      state.isFresh = true
      defer { state.pendingWatchers = [] }
      return (state.pendingWatchers, state.head, state.nextNumber)
    }
    for reply in replies {
      reply(head.map { .joined(next: next, cursor: $0, missed: nil) } ?? .failed)
    }
  }

  /// Lets watchers catch up with the head, or read one batch; true if some should be tried again at
  /// once.
  /// - Throws: what the log throws for the head.
  private func place() async throws(RepositoryError) -> Bool {
    let seekers = state.withLock { state in
      let taken = Array(state.seekers.prefix(Self.seekersAtOnce))
      state.seekers.removeFirst(taken.count)
      return taken
    }
    guard !seekers.isEmpty else { return false }
    var level: [(batch: ChangeBatch, seekers: [CatchUpRequest])] = []
    for (cursor, group) in Dictionary(grouping: seekers, by: \.cursor) {
      do throws(RepositoryError) {
        let batch = try await log.changes(after: cursor, atMost: Self.batchLimit)
        if batch.changes.count < Self.batchLimit {
          level.append((batch, group))
        } else {
          let frame = ChangeFrame(batch)
          for seeker in group { seeker.reply(.part(frame)) }
        }
      } catch {
        for seeker in group { seeker.reply(.failed) }
      }
    }
    guard !level.isEmpty else { return false }
    let isNews: Bool
    do throws(RepositoryError) {
      isNews = try await readHead()
    } catch {
      for seeker in level.flatMap(\.seekers) { seeker.reply(.failed) }
      throw error
    }
    return settle(level, isLevel: !isNews)
  }

  private func settle(
    _ groups: [(batch: ChangeBatch, seekers: [CatchUpRequest])], isLevel: Bool
  ) -> Bool {
    let (head, next) = state.withLock { ($0.head, $0.nextNumber) }
    var again: [CatchUpRequest] = []
    for (batch, seekers) in groups {
      let frame = ChangeFrame(batch)
      for seeker in seekers {
        if isLevel, let head {
          seeker.reply(.joined(next: next, cursor: head, missed: frame.isEmpty ? nil : frame))
        } else if frame.isEmpty {
          again.append(CatchUpRequest(cursor: batch.cursor, reply: seeker.reply))
        } else {
          seeker.reply(.part(frame))
        }
      }
    }
    state.withLock { $0.seekers = again + $0.seekers }
    return !again.isEmpty
  }

  private func giveUpSeekers() {
    let (seekers, pendingWatchers) = state.withLock { state in
      defer { (state.seekers, state.pendingWatchers) = ([], []) }
      return (state.seekers, state.pendingWatchers)
    }
    for seeker in seekers { seeker.reply(.failed) }
    for reply in pendingWatchers { reply(.failed) }
  }
}
