import MarketModel

/// How many wrong passwords are looked at.
///
/// From one address on one product: five, then none for 30 seconds, and twice as long after each
/// further one, up to 15 minutes. From all strangers together on one product: 30 at once, and one
/// more every two seconds. An address that has known the password is no stranger, nor is a seller
/// at its own product, so that no siege keeps them out; any other waits for seconds at a time.
enum TryRules {
  static let freeCount: Int64 = 5
  static let firstWaitSeconds: Int64 = 30
  static let longestWaitSeconds: Int64 = 900
  /// After so long without a try an address begins anew.
  static let forgettingSeconds: Int64 = 3_600
  static let strangersAtOnce: Int64 = 30
  static let secondsForStranger: Int64 = 2

  /// Counts a try as a wrong one, if it may be made.
  ///
  /// It is counted before the password is looked at, so that tries at the same time do not all
  /// pass as the first one.
  ///
  /// - Parameters:
  ///   - tries: what is known.
  ///   - now: seconds since 1970.
  /// - Returns: the seconds to wait; nil where the password may be looked at.
  static func begin(_ tries: inout PasswordTries, now: Int64) -> Int64? {
    forgetFuture(in: &tries, now: now)
    if now - tries.lastSeconds > forgettingSeconds { tries.wrongCount = 0 }
    let own = tries.lastSeconds + wait(after: tries.wrongCount) - now
    if tries.wrongCount >= freeCount, own > 0 { return own }
    if tries.isLimitedByOthers {
      let busyUntil = max(tries.busyUntilSeconds, now) + secondsForStranger
      let others = busyUntil - now - strangersAtOnce * secondsForStranger
      if others > 0 { return others }
      tries.busyUntilSeconds = busyUntil
    }
    tries.wrongCount += 1
    tries.lastSeconds = now
    return nil
  }

  /// The password was the right one.
  static func succeed(_ tries: inout PasswordTries, now: Int64) {
    takeBackFromStrangers(&tries)
    tries.wrongCount = 0
    tries.isTrusted = true
    tries.lastSeconds = now
  }

  /// The password was not looked at after all.
  static func takeBack(_ tries: inout PasswordTries) {
    takeBackFromStrangers(&tries)
    tries.wrongCount = max(0, tries.wrongCount - 1)
  }

  private static func takeBackFromStrangers(_ tries: inout PasswordTries) {
    guard tries.isLimitedByOthers else { return }
    tries.busyUntilSeconds -= secondsForStranger
  }

  /// Takes what lies ahead for now: a clock that was set back must not make the waits longer.
  private static func forgetFuture(in tries: inout PasswordTries, now: Int64) {
    tries.lastSeconds = min(tries.lastSeconds, now)
    let latest = now + strangersAtOnce * secondsForStranger
    tries.busyUntilSeconds = min(tries.busyUntilSeconds, latest)
  }

  private static func wait(after wrongCount: Int64) -> Int64 {
    guard wrongCount >= freeCount else { return 0 }
    let doublings = min(wrongCount - freeCount, 5)
    return min(firstWaitSeconds << doublings, longestWaitSeconds)
  }
}

extension PasswordTries {
  /// Whether what others try counts for this origin.
  fileprivate var isLimitedByOthers: Bool { isOpenToStrangers && !isTrusted }
}
