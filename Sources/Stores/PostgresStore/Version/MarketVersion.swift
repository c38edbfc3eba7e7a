import Synchronization

/// Version of a market's data in a database that several servers change.
///
/// The number changes with any change, never decreases, and is cached for a moment.
final class MarketVersion: Sendable {
  private let state = Mutex(VersionPoller())
  private let ask: @Sendable () async -> VersionPoller.Answer

  /// `ask` reads the version from the database; it must have a timeout of its own.
  init(asking ask: @escaping @Sendable () async -> VersionPoller.Answer) {
    self.ask = ask
  }

  /// The cached version, on any thread; nil where it would have to be read.
  func known() -> Int64? {
    let (version, begins) = state.withLock { $0.known(at: .now) }
    if begins { begin() }
    return version
  }

  /// The version read after this call; nil where the database cannot tell.
  func asked() async -> Int64? {
    await withCheckedContinuation { continuation in
      let begins = state.withLock { state in
        state.add({ continuation.resume(returning: $0) }, at: .now)
      }
      switch begins {
      case true?: begin()
      case false?: break
      case nil: continuation.resume(returning: nil)
      }
    }
  }

  /// Invalidates the cached version, and any read under way.
  func forget() { state.withLock { $0.forget() } }

  /// Reads until no caller waits; detached from the request, and from its deadline.
  private func begin() {
    Task.detached {
      while true {
        let answer = await self.ask()
        let (readers, version, begins) = self.state.withLock { $0.didReceive(answer, at: .now) }
        for reader in readers { reader(version) }
        guard begins else { return }
      }
    }
  }
}

/// State machine that caches the version of a market's data, and decides when it is read.
///
/// An answer is valid from the time it was requested, since it covers no later change. While it is valid
/// no caller waits, and a new one is requested before it expires. All callers that wait at one time share
/// the next request.
struct VersionPoller: Sendable {
  typealias Reader = @Sendable (Int64?) -> Void

  /// Result of reading the version.
  enum Answer: Sendable {
    /// A text that changes with any change.
    case state(String)
    /// The database did not answer.
    case unknown
    /// The database cannot tell.
    case unsupported
  }

  private struct Question {
    let asked: ContinuousClock.Instant
    /// Whether this server has written since.
    var isOutdated = false
    var readers: [Reader]
  }

  /// Time for which an answer is valid, from its request on: no reader misses changes of other servers
  /// that are older.
  static let lifetime = Duration.milliseconds(40)
  /// Age from which on a read also requests the next answer, without waiting for it.
  static let renewal = Duration.milliseconds(10)
  /// Maximum time between two versions even with equal texts, for manual changes that are in no log.
  ///
  /// With the lifetime of kept rows a manual change shows within 30 seconds.
  static let longest = Duration.seconds(10)
  private static let maxSilence = Duration.seconds(1)

  private var text: String?
  /// The version; incremented with each different text, so that a text that returns is a new version.
  private var number: Int64 = 0
  private var begin: ContinuousClock.Instant?
  /// Time at which the valid answer was requested; nil for none.
  private var asked: ContinuousClock.Instant?
  private var question: Question?
  /// Readers of the request after the one under way.
  private var waiting: [Reader] = []
  /// Time before which nothing is requested, because a request failed; the first request after it has no
  /// readers.
  private var silence: ContinuousClock.Instant?
  private var isSupported = true

  /// The version where an answer is valid, and whether the caller has to start a request.
  mutating func known(at now: ContinuousClock.Instant) -> (version: Int64?, begins: Bool) {
    let counts = asked.map { now - $0 < Self.lifetime } ?? false
    let isDue = counts ? asked.map { now - $0 >= Self.renewal } ?? false : silence != nil
    let begins = isDue && isSupported && question == nil && !isSilent(at: now)
    if begins { question = Question(asked: now, readers: []) }
    return (counts ? number : nil, begins)
  }

  /// Adds a reader to a request made after this call, and returns whether the caller has to start it; nil
  /// where the reader is not added, since the database does not answer.
  mutating func add(_ reader: @escaping Reader, at now: ContinuousClock.Instant) -> Bool? {
    guard isSupported, silence == nil else { return nil }
    guard question == nil else {
      waiting.append(reader)
      return false
    }
    question = Question(asked: now, readers: [reader])
    return true
  }

  /// Invalidates the answer, and the request under way, after this server may have written.
  mutating func forget() {
    asked = nil
    question?.isOutdated = true
  }

  /// Handles the answer to the request under way: returns the readers to call, with the version, and
  /// whether the caller has to start another request.
  mutating func didReceive(
    _ answer: Answer, at now: ContinuousClock.Instant
  ) -> (readers: [Reader], version: Int64?, begins: Bool) {
    guard let finished = question else { return ([], nil, false) }
    question = nil
    switch answer {
    case .state(let text):
      silence = nil
      update(to: text, at: now)
      if !finished.isOutdated { asked = finished.asked }
    case .unknown, .unsupported:
      if case .unsupported = answer { isSupported = false }
      // Waits as long as the failed request took, so that a slow database is not loaded further.
      silence = now + min(now - finished.asked, Self.maxSilence)
      defer { waiting = [] }
      return (finished.readers + waiting, nil, false)
    }
    if !waiting.isEmpty {
      question = Question(asked: now, readers: waiting)
      waiting = []
    }
    return (finished.readers, number, question != nil)
  }

  private mutating func update(to text: String, at now: ContinuousClock.Instant) {
    if let begin, self.text == text, now - begin < Self.longest { return }
    self.text = text
    begin = now
    number += 1
  }

  private func isSilent(at now: ContinuousClock.Instant) -> Bool {
    silence.map { now < $0 } ?? false
  }
}

/// Delays change notifications by the cache lifetime (40 ms), so that no server can still answer from a
/// cache older than a change it reported.
struct ChangeLogDelay {
  private var newest: (seen: SeenTransactions, end: ContinuousClock.Instant)?

  /// Time from which on changes read just now may be reported; the same changes read again keep their
  /// time.
  mutating func end(
    of seen: SeenTransactions, readAt now: ContinuousClock.Instant
  ) -> ContinuousClock.Instant {
    if let newest, newest.seen == seen { return newest.end }
    let end = now + VersionPoller.lifetime
    newest = (seen, end)
    return end
  }
}
