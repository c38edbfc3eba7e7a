/// How often and how late a request that is safe to repeat is sent again.
package struct RetryPolicy: Hashable, Sendable {
  /// How often a request is repeated after the first time.
  package var repetitions: Int
  /// The pause before the first repetition; each further one is twice as long.
  package var firstPause: Duration
  /// The longest pause that a server may ask for; where it asks for more, its answer stands.
  package var longestPause: Duration

  package init(
    repetitions: Int = 2, firstPause: Duration = .milliseconds(250),
    longestPause: Duration = .seconds(10)
  ) {
    self.repetitions = repetitions
    self.firstPause = firstPause
    self.longestPause = longestPause
  }

  /// The pause before another try; nil where there should be none.
  ///
  /// - Parameters:
  ///   - repetition: 1 before the first repetition.
  ///   - asked: what the server said in `Retry-After`.
  ///   - random: 0 to 1; spreads the clients of a server that comes back.
  /// - Returns: the doubled pause, less up to half of it, but no less than the server asked for.
  package func pause(
    before repetition: Int, asked: Duration?, random: Double
  ) -> Duration? {
    guard repetition <= repetitions else { return nil }
    if let asked, asked > longestPause { return nil }
    let full = firstPause * (1 << (repetition - 1))
    return max(min(full, longestPause) * (1 - random / 2), asked ?? .zero)
  }
}
