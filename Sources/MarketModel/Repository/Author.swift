/// On whose behalf a product is registered or changed.
package enum Author: Hashable, Sendable {
  /// A seller who showed an identifier (v2 and the local market): only its own products and those
  /// of *guest* may be changed.
  case seller(SellerIdentifier)
  /// Nobody in particular (v1): registers as *guest*, and the password alone decides.
  case guest
}

/// A random text that marks one intent to register, however often it is sent.
package struct IdempotencyKey: RawRepresentable, Hashable, Sendable {
  package let rawValue: String

  package init(rawValue: String) {
    self.rawValue = rawValue
  }
}
