/// Questions for the version of a market's data: who may be told which answer, and when one is asked.
///
/// An answer counts from when it was asked for, since it knows nothing of what came later. As long as
/// it counts nobody waits, and a new one is fetched before it is too old. All who wait at one moment
/// share the next question.
struct VersionPoller: Sendable {
  typealias Reader = @Sendable (Int64?) -> Void

  /// What a database says of its data.
  enum Answer: Sendable {
    /// A text that is another one after any change.
    case mark(String)
    /// It could not be asked now.
    case unknown
    /// It can never tell.
    case never
  }

  private struct Question {
    let asked: ContinuousClock.Instant
    /// Whether something was written here since.
    var isOutdated = false
    var readers: [Reader]
  }

  /// Time for which an answer counts, from when it was asked for: no reader sees what was changed
  /// elsewhere longer ago as it was before.
  static let lifetime = Duration.milliseconds(40)
  /// Age from which on a reader has the next one fetched, without waiting for it.
  static let renewal = Duration.milliseconds(10)
  /// Time after which a version is another one whatever the marks say, for what was written by hand
  /// and told to no log.
  static let longest = Duration.seconds(30)
  private static let maxSilence = Duration.seconds(1)

  private var mark: String?
  /// The version; rises with each other mark, so that one that comes back is a new version.
  private var number: Int64 = 0
  private var begin: ContinuousClock.Instant?
  /// Time at which the answer was asked for that counts; nil for none.
  private var asked: ContinuousClock.Instant?
  private var question: Question?
  /// Who waits for the question after the one under way.
  private var waiting: [Reader] = []
  /// Time until which nothing is asked, because a question came to nothing; from then on one is, for
  /// which nobody waits.
  private var silence: ContinuousClock.Instant?
  private var isEverTold = true

  /// The version where an answer counts, and whether a question begins with this.
  mutating func known(at now: ContinuousClock.Instant) -> (version: Int64?, begins: Bool) {
    let counts = asked.map { now - $0 < Self.lifetime } ?? false
    let isDue = counts ? asked.map { now - $0 >= Self.renewal } ?? false : silence != nil
    let begins = isDue && isEverTold && question == nil && !isSilent(at: now)
    if begins { question = Question(asked: now, readers: []) }
    return (counts ? number : nil, begins)
  }

  /// Takes a reader who is told by a question that is asked after this, and says whether it begins now;
  /// nil where the reader is not taken, and need not wait for anything.
  mutating func take(_ reader: @escaping Reader, at now: ContinuousClock.Instant) -> Bool? {
    guard isEverTold, silence == nil else { return nil }
    guard question == nil else {
      waiting.append(reader)
      return false
    }
    question = Question(asked: now, readers: [reader])
    return true
  }

  /// Something was written here, or may have been: what was asked before does not count.
  mutating func forget() {
    asked = nil
    question?.isOutdated = true
  }

  /// Takes the answer to the question under way: whom to tell what, and whether another one begins now.
  mutating func didReceive(
    _ answer: Answer, at now: ContinuousClock.Instant
  ) -> (readers: [Reader], version: Int64?, begins: Bool) {
    guard let heard = question else { return ([], nil, false) }
    question = nil
    switch answer {
    case .mark(let mark):
      silence = nil
      turn(to: mark, at: now)
      if !heard.isOutdated { asked = heard.asked }
    case .unknown, .never:
      if case .never = answer { isEverTold = false }
      // As long again as it took: a database that is slow is not asked all the time.
      silence = now + min(now - heard.asked, Self.maxSilence)
      defer { waiting = [] }
      return (heard.readers + waiting, nil, false)
    }
    if !waiting.isEmpty {
      question = Question(asked: now, readers: waiting)
      waiting = []
    }
    return (heard.readers, number, question != nil)
  }

  private mutating func turn(to mark: String, at now: ContinuousClock.Instant) {
    if let begin, self.mark == mark, now - begin < Self.longest { return }
    self.mark = mark
    begin = now
    number += 1
  }

  private func isSilent(at now: ContinuousClock.Instant) -> Bool {
    silence.map { now < $0 } ?? false
  }
}

/// What of a log may be told when: not before every server has forgotten what it remembers of before.
struct ChangeLogDelay {
  private var newest: (seen: [SeenTransactions], end: ContinuousClock.Instant)?

  /// Time from which on what was read just now may be told; what was read again is no younger for it.
  mutating func end(
    of seen: [SeenTransactions], readAt now: ContinuousClock.Instant
  ) -> ContinuousClock.Instant {
    if let newest, newest.seen == seen { return newest.end }
    let end = now + VersionPoller.lifetime
    newest = (seen, end)
    return end
  }
}
