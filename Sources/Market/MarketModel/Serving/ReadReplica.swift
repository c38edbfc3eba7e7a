/// Copy of a market's database that follows it, for reads that need not be newer than
/// `ReplicaStaleness.limit`.
package protocol ReadReplica: Sendable {
  /// Whether what is read there from now on is young enough, and holds everything up to a position; told
  /// in microseconds, without waiting.
  func suits(_ position: MarketPosition?) -> Bool

  /// Reading there came to nothing: it suits nobody until it was looked at again.
  func didFail()

  /// The position of the market itself after everything that was written before this call; nil where it
  /// does not tell.
  func presentPosition() async -> MarketPosition?
}

/// Rule of what is young enough.
package enum ReplicaStaleness {
  /// Age of the oldest data that a standby answers with.
  package static let limit = Duration.seconds(1)
}
