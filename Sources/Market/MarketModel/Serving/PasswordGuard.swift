import Synchronization

/// Rate limiter of password attempts.
package struct PasswordGuard: Sendable {
  /// `retryAfterSeconds` where too many attempts are queued.
  private static let crowdSeconds = 1

  private let market: any ServedMarket
  private let now: @Sendable () -> Int64
  private let queue = AttemptQueue()

  package init(market: any ServedMarket, now: @escaping @Sendable () -> Int64) {
    self.market = market
    self.now = now
  }

  /// Runs `body`, which checks a product's password first, if the rules allow an attempt.
  ///
  /// - Throws: `.tooManyAttempts` without running `body`; `.notFound` or `.store` from the market's
  ///   attempt record; what `body` throws.
  package func trying<Answer>(
    on id: Product.ID, by origin: AttemptOrigin, _ body: () async throws(RepositoryError) -> Answer
  ) async throws(RepositoryError) -> Answer {
    let key = AttemptQueue.Key(product: id, origin: origin)
    guard await queue.enter(key) else {
      throw .tooManyAttempts(retryAfterSeconds: Self.crowdSeconds)
    }
    defer { queue.leave(key) }
    let now = now()
    let decision = try await market.changeAttempts(on: id, by: origin) {
      AttemptRules.begin(&$0, now: now)
    }
    switch decision {
    case .wait(let seconds): throw .tooManyAttempts(retryAfterSeconds: Int(seconds))
    case .look(let made):
      queue.change(key, isTrusted: made.isBeyondDoubt)
      return try await looking(made, at: key, now, body)
    }
  }

  /// Answers a question for a client at `address`, whose password or identifier allows it.
  ///
  /// - Throws: `.tooManyAttempts`; what the market's method throws.
  package func answer(
    _ id: Question.ID, with answer: NewAnswer, by author: Author, password: Password?,
    from address: String
  ) async throws(RepositoryError) -> Question {
    let origin = AttemptOrigin(address: address, author: author)
    return try await credentials(
      of: origin, password, onQuestion: id, needsPassword: answer.reserves
    ) { password throws(RepositoryError) in
      try await market.answer(id, with: answer, by: author, password: password)
    }
  }

  /// Deletes a question for a client at `address`, whose password or identifier allows it.
  ///
  /// - Throws: `.tooManyAttempts`; what the market's method throws.
  package func deleteQuestion(
    _ id: Question.ID, by author: Author, password: Password?, from address: String
  ) async throws(RepositoryError) {
    let origin = AttemptOrigin(address: address, author: author)
    try await credentials(of: origin, password, onQuestion: id, needsPassword: false) {
      password throws(RepositoryError) in
      try await market.deleteQuestion(id, by: author, password: password)
    }
  }

  /// Runs a body with the password, whose attempt counts, and then without it, for the identifier
  /// alone, unless the password is right or needed.
  ///
  /// - Throws: `.notFound` where the question does not exist; the error of the password where neither
  ///   allows the operation.
  private func credentials<Answer>(
    of origin: AttemptOrigin, _ password: Password?, onQuestion id: Question.ID,
    needsPassword: Bool, _ body: (Password?) async throws(RepositoryError) -> Answer
  ) async throws(RepositoryError) -> Answer {
    guard let password else { return try await body(nil) }
    let refusal: RepositoryError
    do throws(RepositoryError) {
      return try await trying(on: try await market.product(ofQuestion: id), by: origin) {
        () throws(RepositoryError) in try await body(password)
      }
    } catch {
      guard error.isOfPassword, !needsPassword, origin.author != .guest else { throw error }
      refusal = error
    }
    do throws(RepositoryError) {
      return try await body(nil)
    } catch {
      throw error == .notOwner ? refusal : error
    }
  }

  private func looking<Answer>(
    _ made: AttemptRules.Attempt, at key: AttemptQueue.Key, _ now: Int64,
    _ body: () async throws(RepositoryError) -> Answer
  ) async throws(RepositoryError) -> Answer {
    do {
      let answer = try await body()
      await succeed(made, at: key, now)
      return answer
    } catch {
      switch error {
      case .wrongPassword:
        queue.change(key, isTrusted: false)
        if !made.countsAhead {
          await change(at: key) { AttemptRules.fail(&$0, after: made, now: now) }
        }
      case .invalid, .conflict: await succeed(made, at: key, now)
      default: await change(at: key) { AttemptRules.takeBack(&$0, after: made, now: now) }
      }
      throw error
    }
  }

  /// Records a right password; the product may be deleted by now.
  private func succeed(_ made: AttemptRules.Attempt, at key: AttemptQueue.Key, _ now: Int64)
    async
  {
    await change(at: key) { AttemptRules.succeed(&$0, after: made, now: now) }
    queue.change(key, isTrusted: true)
  }

  /// Corrects the count in a task of its own, as the caller's may be cancelled.
  ///
  /// Where the store cannot be written, the attempt stays counted: that is safer than one too few,
  /// and the caller has its answer already.
  private func change(
    at key: AttemptQueue.Key, _ change: @escaping @Sendable (inout PasswordAttempts) -> Void
  ) async {
    let market = market
    await Task {
      try? await market.changeAttempts(on: key.product, by: key.origin, change)
    }.value
  }
}

/// Queue of password attempts by product and origin.
///
/// A trusted origin without a wrong attempt since runs up to `trustedWidth` at a time. Any other runs
/// one, so that the result of the first is known before the next is checked.
private final class AttemptQueue: Sendable {
  struct Key: Hashable, Sendable {
    let product: Product.ID
    let origin: AttemptOrigin
  }

  /// Maximum attempts of a trusted origin at a time; further ones wait.
  private static let trustedWidth = 32
  /// Maximum waiting attempts of an origin; further ones are refused.
  private static let maxLineLength = 256

  private let slots = Mutex(
    SlotQueue<Key, CheckedContinuation<Bool, Never>>(limit: 1, maxWaiting: maxLineLength))

  /// Waits for a turn, after which the caller has to call `leave`; false where `maxLineLength`
  /// attempts wait.
  func enter(_ key: Key) async -> Bool {
    await withCheckedContinuation { continuation in
      let entry = slots.withLock { $0.enter(key, continuation) }
      if entry != .waits { continuation.resume(returning: entry == .begins) }
    }
  }

  /// Sets whether the origin may run many attempts at a time.
  func change(_ key: Key, isTrusted: Bool) {
    let next = slots.withLock { $0.setLimit(of: key, to: isTrusted ? Self.trustedWidth : 1) }
    for continuation in next { continuation.resume(returning: true) }
  }

  /// Ends a turn.
  func leave(_ key: Key) {
    let next = slots.withLock { $0.leave(key) }
    next?.resume(returning: true)
  }
}

/// Limits on wrong passwords.
///
/// From one network on one product: five, then none for 30 seconds, doubled after each further one,
/// up to 15 minutes. From all untrusted origins together on one product: 30 at once, and one more
/// every two seconds. The common limit does not apply to a trusted origin, nor to a seller at its own
/// product, so that an attack cannot lock them out; others wait for seconds at a time.
enum AttemptRules {
  static let firstWaitSeconds: Int64 = 30
  static let maxWaitSeconds: Int64 = 900
  /// Seconds without an attempt after which the wrong count restarts at 0.
  static let forgettingSeconds: Int64 = 3_600
  /// Maximum attempts of untrusted origins at once; each is free again after `secondsForStranger`.
  static let strangersAtOnce: Int64 = 30
  static let secondsForStranger: Int64 = 2

  /// Decision on an attempt.
  enum Decision: Hashable, Sendable {
    /// The password is not checked for this many seconds.
    case wait(seconds: Int64)
    case look(Attempt)
  }

  /// Attempt whose password is being checked, and what was counted in advance.
  struct Attempt: Hashable, Sendable {
    /// Whether the attempt counts as wrong until the password is known to be right.
    ///
    /// Concurrent attempts of an untrusted origin must not all pass as the first one. For a trusted
    /// origin only attempts found wrong count.
    let countsAhead: Bool
    /// Whether the attempt was counted in the common limit of untrusted origins.
    let countsForStrangers: Bool
    /// Whether the origin is trusted and has made no wrong attempt since.
    let isBeyondDoubt: Bool
  }

  /// Decides on an attempt at `now`, in seconds since 1970, before the password is checked, and
  /// counts it in `attempts` where that must be done in advance.
  static func begin(_ attempts: inout PasswordAttempts, now: Int64) -> Decision {
    forgetFuture(in: &attempts, now: now)
    if now - attempts.lastSeconds > forgettingSeconds { attempts.wrongCount = 0 }
    let own = attempts.lastSeconds + wait(after: attempts.wrongCount) - now
    if attempts.wrongCount >= PasswordAttempts.freeCount, own > 0 { return .wait(seconds: own) }
    let decision = Attempt(
      countsAhead: !attempts.isTrusted, countsForStrangers: attempts.isLimitedByOthers,
      isBeyondDoubt: attempts.isTrusted && attempts.wrongCount == 0)
    if decision.countsForStrangers {
      let busyUntil = max(attempts.busyUntilSeconds, now) + secondsForStranger
      let others = busyUntil - now - strangersAtOnce * secondsForStranger
      if others > 0 { return .wait(seconds: others) }
      attempts.busyUntilSeconds = busyUntil
    }
    if decision.countsAhead { count(&attempts, now: now) }
    return .look(decision)
  }

  /// Records that the password was right.
  static func succeed(_ attempts: inout PasswordAttempts, after made: Attempt, now: Int64) {
    forgetFuture(in: &attempts, now: now)
    refundAnonymousAttempt(&attempts, made)
    attempts.wrongCount = 0
    attempts.isTrusted = true
    attempts.lastSeconds = now
  }

  /// Records that the password was wrong.
  static func fail(_ attempts: inout PasswordAttempts, after made: Attempt, now: Int64) {
    forgetFuture(in: &attempts, now: now)
    if !made.countsAhead { count(&attempts, now: now) }
  }

  /// Undoes an attempt whose password was not checked after all.
  static func takeBack(_ attempts: inout PasswordAttempts, after made: Attempt, now: Int64) {
    forgetFuture(in: &attempts, now: now)
    refundAnonymousAttempt(&attempts, made)
    if made.countsAhead { attempts.wrongCount = max(0, attempts.wrongCount - 1) }
  }

  private static func count(_ attempts: inout PasswordAttempts, now: Int64) {
    attempts.wrongCount = min(attempts.wrongCount + 1, PasswordAttempts.counts.upperBound)
    attempts.lastSeconds = now
  }

  private static func refundAnonymousAttempt(_ attempts: inout PasswordAttempts, _ made: Attempt) {
    guard made.countsForStrangers else { return }
    attempts.busyUntilSeconds = max(0, attempts.busyUntilSeconds - secondsForStranger)
  }

  /// Clamps times in the future to now: a clock that was set back must not lengthen the waits.
  private static func forgetFuture(in attempts: inout PasswordAttempts, now: Int64) {
    attempts.lastSeconds = min(attempts.lastSeconds, now)
    let latest = now + strangersAtOnce * secondsForStranger
    attempts.busyUntilSeconds = min(attempts.busyUntilSeconds, latest)
  }

  private static func wait(after wrongCount: Int64) -> Int64 {
    guard wrongCount >= PasswordAttempts.freeCount else { return 0 }
    let doublings = min(wrongCount - PasswordAttempts.freeCount, 5)
    return min(firstWaitSeconds << doublings, maxWaitSeconds)
  }
}

extension PasswordAttempts {
  /// Whether the common limit of untrusted origins applies to this one.
  fileprivate var isLimitedByOthers: Bool { isOpenToStrangers && !isTrusted }
}

extension RepositoryError {
  /// Whether a password was wrong, or was not checked after too many wrong ones.
  fileprivate var isOfPassword: Bool {
    switch self {
    case .wrongPassword, .tooManyAttempts: true
    default: false
    }
  }
}
