/// Where a try of a password comes from.
package struct TryOrigin: Hashable, Sendable {
  /// The network address, as text.
  package var address: String
  package var author: Author

  package init(address: String, author: Author) {
    self.address = address
    self.author = author
  }
}

/// What is known of the passwords that were tried on one product.
///
/// Tries on a seller's product that show an identifier are counted apart from all others: only
/// the owner's get as far as the password, and so nobody else's can use them up.
package struct PasswordTries: Hashable, Sendable {
  /// Wrong tries from the origin since the last right one.
  package var wrongCount: Int64
  /// When the origin tried last, in seconds since 1970.
  package var lastSeconds: Int64
  /// Whether the origin has known the password once.
  package var isTrusted: Bool
  /// The time, in seconds since 1970, at which all that strangers have tried on the product will
  /// have been forgotten.
  package var busyUntilSeconds: Int64
  /// Whether anybody may try from where the origin does.
  package let isOpenToStrangers: Bool

  package init(
    wrongCount: Int64 = 0, lastSeconds: Int64 = 0, isTrusted: Bool = false,
    busyUntilSeconds: Int64 = 0, isOpenToStrangers: Bool
  ) {
    self.wrongCount = wrongCount
    self.lastSeconds = lastSeconds
    self.isTrusted = isTrusted
    self.busyUntilSeconds = busyUntilSeconds
    self.isOpenToStrangers = isOpenToStrangers
  }
}
