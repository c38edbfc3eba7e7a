/// Read replica of a market's database, for reads that may be up to `ReplicaStaleness.limit` old.
package protocol ReadReplica: Sendable {
  /// Whether a read there is young enough and includes everything up to `position`, if not nil; takes
  /// microseconds.
  func suits(_ position: MarketPosition?) -> Bool

  /// Reports a failed read: the replica suits no request until it was checked again.
  func didFail()

  /// Returns the position of the primary after everything written before this call; nil where it does
  /// not report one.
  func presentPosition() async -> MarketPosition?
}

package enum ReplicaStaleness {
  /// Maximum age of data from a replica; older reads go to the primary.
  package static let limit = Duration.seconds(1)
}

/// Position in a market's database log: a replica that has reached it contains everything written
/// before.
///
/// Positions of one market are comparable, also between its servers.
package struct MarketPosition: Hashable, Comparable, Sendable {
  private static let radix = 16
  /// Hexadecimal digits of 64 bits.
  private static let longest = 16

  package let rawValue: Int64

  package init(rawValue: Int64) { self.rawValue = rawValue }

  /// Parses 1 to 16 hexadecimal digits in lower case; nil for other text.
  package init?(_ word: String) {
    let isWord =
      (1...Self.longest).contains(word.utf8.count)
      && word.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    guard isWord, let value = Int64(word, radix: Self.radix) else { return nil }
    rawValue = value
  }

  /// Value for the `Market-Position` header.
  package var word: String { String(rawValue, radix: Self.radix) }

  package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
