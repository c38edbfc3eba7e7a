/// Origin of a password attempt: a network address and an author.
package struct AttemptOrigin: Hashable, Sendable {
  /// `ClientNetwork.text` of the address.
  package let network: String
  package var author: Author

  package init(address: String, author: Author) {
    network = ClientNetwork(of: address).text
    self.author = author
  }
}

/// Record of password attempts on one product.
///
/// Attempts with the identifier of the product's seller are counted apart from all others, so that no
/// other client can use them up.
package struct PasswordAttempts: Hashable, Sendable {
  /// Maximum wrong attempts in a row before the origin has to wait.
  package static let freeCount: Int64 = 5
  /// Valid attempt counts; values from a store are clamped to it.
  package static let counts: ClosedRange<Int64> = 0...1_000_000
  /// Valid seconds since 1970, up to the year 36,812; values from a store are clamped to it.
  package static let seconds: ClosedRange<Int64> = 0...(1 << 40)

  /// Wrong attempts of the origin since its last right one.
  package var wrongCount: Int64
  /// Time of the origin's last attempt, in seconds since 1970.
  package var lastSeconds: Int64
  /// Whether the origin has entered the right password once.
  package var isTrusted: Bool
  /// Time in seconds since 1970 at which all attempts of untrusted origins on the product expire.
  package var busyUntilSeconds: Int64
  /// Whether untrusted origins may try here, so that their common limit applies.
  package let isOpenToStrangers: Bool

  /// Creates a record and clamps all numbers to their valid ranges.
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
