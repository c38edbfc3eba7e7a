import MarketModel

/// Rules of how many wrong passwords are looked at.
///
/// From one address on one product: five, then none for 30 seconds, and twice as long after each
/// further one, up to 15 minutes. From all strangers together on one product: 30 at once, and one
/// more every two seconds. An address that has known the password is no stranger, nor is a seller
/// at its own product, so that no siege keeps them out; any other waits for seconds at a time.
enum AttemptRules {
  static let freeCount: Int64 = 5
  static let firstWaitSeconds: Int64 = 30
  static let longestWaitSeconds: Int64 = 900
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
    if attempts.wrongCount >= freeCount, own > 0 { return .wait(seconds: own) }
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
    takeBackFromStrangers(&attempts, made)
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
    takeBackFromStrangers(&attempts, made)
    if made.countsAhead { attempts.wrongCount = max(0, attempts.wrongCount - 1) }
  }

  private static func count(_ attempts: inout PasswordAttempts, now: Int64) {
    attempts.wrongCount = min(attempts.wrongCount + 1, PasswordAttempts.counts.upperBound)
    attempts.lastSeconds = now
  }

  private static func takeBackFromStrangers(_ attempts: inout PasswordAttempts, _ made: Attempt) {
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
    guard wrongCount >= freeCount else { return 0 }
    let doublings = min(wrongCount - freeCount, 5)
    return min(firstWaitSeconds << doublings, longestWaitSeconds)
  }
}

extension PasswordAttempts {
  /// Whether what others try counts for this origin.
  fileprivate var isLimitedByOthers: Bool { isOpenToStrangers && !isTrusted }
}
