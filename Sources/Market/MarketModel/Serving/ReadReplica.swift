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

/// Position in the history of a market's database: whoever has come to it has everything that was
/// written before.
///
/// Positions of one market can be compared, also those that different servers of it tell.
package struct MarketPosition: Hashable, Comparable, Sendable {
  private static let radix = 16
  /// Digits of 64 bits.
  private static let longest = 16

  package let rawValue: Int64

  package init(rawValue: Int64) {
    self.rawValue = rawValue
  }

  /// Nil for words that no server of ours says: they are 1 to 16 hexadecimal digits, in small letters.
  package init?(_ word: String) {
    let isWord =
      (1...Self.longest).contains(word.utf8.count)
      && word.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    guard isWord, let value = Int64(word, radix: Self.radix) else { return nil }
    rawValue = value
  }

  /// The word that stands for it in `Market-Position`.
  package var word: String { String(rawValue, radix: Self.radix) }

  package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
