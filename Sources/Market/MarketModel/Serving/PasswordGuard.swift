import Synchronization

/// Guard of passwords, which lets them be tried as often as the rules allow.
package struct PasswordGuard: Sendable {
  /// Seconds after which somebody may come back for whom too many were waiting.
  private static let crowdSeconds = 1

  private let market: any ServedMarket
  private let now: @Sendable () -> Int64
  private let queue = AttemptQueue()

  package init(market: any ServedMarket, now: @escaping @Sendable () -> Int64) {
    self.market = market
    self.now = now
  }

  /// Runs a body that looks at a product's password before anything else.
  ///
  /// Throws `.tooManyAttempts` without running `body`, or what it threw.
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

  /// Runs a body that looks at the password of a question's product; `origin` is nil where none is shown.
  package func trying<Answer>(
    onQuestion id: Question.ID, by origin: AttemptOrigin?,
    _ body: () async throws(RepositoryError) -> Answer
  ) async throws(RepositoryError) -> Answer {
    guard let origin else { return try await body() }
    return try await trying(on: try await market.product(ofQuestion: id), by: origin, body)
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

  /// Takes note of a right password; the product itself may be gone by now.
  private func succeed(_ made: AttemptRules.Attempt, at key: AttemptQueue.Key, _ now: Int64)
    async
  {
    await change(at: key) { AttemptRules.succeed(&$0, after: made, now: now) }
    queue.change(key, isTrusted: true)
  }

  /// Corrects the count in a task of its own, since the caller's may be cancelled by now.
  ///
  /// Where the store cannot be written, the try stays counted: one too many harms less than one too
  /// few, and the caller has an answer already.
  private func change(
    at key: AttemptQueue.Key, _ change: @escaping @Sendable (inout PasswordAttempts) -> Void
  ) async {
    let market = market
    await Task {
      try? await market.changeAttempts(on: key.product, by: key.origin, change)
    }.value
  }
}

/// Queue of those who try passwords, by product and origin.
///
/// An origin that has known the password, and tried no wrong one since, has many turns at a time;
/// any other has one, so that the first right try is known before the next one is judged.
private final class AttemptQueue: Sendable {
  /// Product and origin of a try.
  struct Key: Hashable, Sendable {
    let product: Product.ID
    let origin: AttemptOrigin
  }

  private struct Line {
    var running = 0
    var width = 1
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private static let trustedWidth = 32
  private static let maxLineLength = 256

  private let lines = Mutex<[Key: Line]>([:])

  /// Waits for a turn, after which the caller has to `leave`; false where too many wait already.
  func enter(_ key: Key) async -> Bool {
    let isFull = lines.withLock { lines in
      (lines[key]?.waiting.count ?? 0) >= Self.maxLineLength
    }
    guard !isFull else { return false }
    await withCheckedContinuation { continuation in
      let begins = lines.withLock { lines in
        var line = lines[key] ?? Line()
        let begins = line.running < line.width
        if begins { line.running += 1 } else { line.waiting.append(continuation) }
        lines[key] = line
        return begins
      }
      if begins { continuation.resume() }
    }
    return true
  }

  /// Says whether the origin may have many turns at a time from now on.
  func change(_ key: Key, isTrusted: Bool) {
    update(key) { $0.width = isTrusted ? Self.trustedWidth : 1 }
  }

  /// Ends a turn.
  func leave(_ key: Key) { update(key) { $0.running -= 1 } }

  /// Changes a line and lets those in who have a turn now.
  private func update(_ key: Key, _ change: (inout Line) -> Void) {
    let next = lines.withLock { lines in
      guard var line = lines[key] else { return [CheckedContinuation<Void, Never>]() }
      change(&line)
      let count = min(max(0, line.width - line.running), line.waiting.count)
      let next = Array(line.waiting.prefix(count))
      line.waiting.removeFirst(count)
      line.running += count
      lines[key] = line.running == 0 ? nil : line
      return next
    }
    for continuation in next { continuation.resume() }
  }
}

/// Rules of how many wrong passwords are looked at.
///
/// From one address on one product: five, then none for 30 seconds, and twice as long after each
/// further one, up to 15 minutes. From all strangers together on one product: 30 at once, and one
/// more every two seconds. An address that has known the password is no stranger, nor is a seller
/// at its own product, so that no siege keeps them out; any other waits for seconds at a time.
enum AttemptRules {
  static let firstWaitSeconds: Int64 = 30
  static let maxWaitSeconds: Int64 = 900
  /// After so long without a try an address begins anew.
  static let forgettingSeconds: Int64 = 3_600
  static let strangersAtOnce: Int64 = 30
  static let secondsForStranger: Int64 = 2

  /// Decision on a try.
  enum Decision: Hashable, Sendable {
    /// The password is not looked at for so many seconds.
    case wait(seconds: Int64)
    case look(Attempt)
  }

  /// Attempt whose password is being looked at, and what was counted for it beforehand.
  struct Attempt: Hashable, Sendable {
    /// Whether it counts as a wrong one until it is known to be right.
    ///
    /// Where the origin has never known the password, attempts at the same time must not all pass as the
    /// first one. Where it has, only those count that were found wrong.
    let countsAhead: Bool
    /// Whether it was counted among those of all strangers.
    let countsForStrangers: Bool
    /// Whether the origin has known the password, and tried no wrong one since.
    let isBeyondDoubt: Bool
  }

  /// Decides on a try at `now`, in seconds since 1970, before its password is looked at; the try is
  /// counted in `attempts` where that has to be done beforehand.
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

  /// The password was the right one.
  static func succeed(_ attempts: inout PasswordAttempts, after made: Attempt, now: Int64) {
    forgetFuture(in: &attempts, now: now)
    refundAnonymousAttempt(&attempts, made)
    attempts.wrongCount = 0
    attempts.isTrusted = true
    attempts.lastSeconds = now
  }

  /// The password was a wrong one.
  static func fail(_ attempts: inout PasswordAttempts, after made: Attempt, now: Int64) {
    forgetFuture(in: &attempts, now: now)
    if !made.countsAhead { count(&attempts, now: now) }
  }

  /// The password was not looked at after all.
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

  /// Takes what lies ahead for now: a clock that was set back must not make the waits longer.
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
  /// Whether what others try counts for this origin.
  fileprivate var isLimitedByOthers: Bool { isOpenToStrangers && !isTrusted }
}
