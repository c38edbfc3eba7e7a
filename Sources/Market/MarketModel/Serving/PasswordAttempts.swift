/// Origin of a password attempt: a network address and an author.
package struct AttemptOrigin: Hashable, Sendable {
  /// The network that limits count, as text.
  package let network: String
  package var author: Author

  package init(address: String, author: Author) {
    network = ClientNetwork(of: address).text
    self.author = author
  }
}

/// Record of the passwords that were tried on one product.
///
/// Attempts on a seller's product that show an identifier are counted apart from all others: only
/// the owner's get as far as the password, and so nobody else's can use them up.
package struct PasswordAttempts: Hashable, Sendable {
  /// How many wrong ones in a row are looked at before the origin has to wait.
  package static let freeCount: Int64 = 5
  /// Counts that can be reckoned with; a store may hold any number.
  package static let counts: ClosedRange<Int64> = 0...1_000_000
  /// Seconds since 1970 that can be reckoned with: up to the year 36,812.
  package static let seconds: ClosedRange<Int64> = 0...(1 << 40)

  /// Wrong attempts from the origin since the last right one.
  package var wrongCount: Int64
  /// Time of the origin's last try, in seconds since 1970.
  package var lastSeconds: Int64
  /// Whether the origin has known the password once.
  package var isTrusted: Bool
  /// The time, in seconds since 1970, at which all that strangers have tried on the product will
  /// have been forgotten.
  package var busyUntilSeconds: Int64
  /// Whether anybody may try from where the origin does.
  package let isOpenToStrangers: Bool

  /// Takes numbers from anywhere, and the nearest that can be reckoned with.
  package init(
    wrongCount: Int64 = 0, lastSeconds: Int64 = 0, isTrusted: Bool = false,
    busyUntilSeconds: Int64 = 0, isOpenToStrangers: Bool
  ) {
    self.wrongCount = wrongCount.clamped(to: Self.counts)
    self.lastSeconds = lastSeconds.clamped(to: Self.seconds)
    self.isTrusted = isTrusted
    self.busyUntilSeconds = busyUntilSeconds.clamped(to: Self.seconds)
    self.isOpenToStrangers = isOpenToStrangers
  }
}

extension Int64 {
  fileprivate func clamped(to range: ClosedRange<Int64>) -> Int64 {
    Swift.min(Swift.max(self, range.lowerBound), range.upperBound)
  }
}
