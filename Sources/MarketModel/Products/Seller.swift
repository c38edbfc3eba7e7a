/// Who sells a product, as everyone may see it.
package struct Seller: Hashable, Sendable, Identifiable {
  /// The small number that a market shows for a seller (`vendor_id`).
  package struct ID: RawRepresentable, Hashable, Sendable {
    package let rawValue: Int64

    package init(rawValue: Int64) {
      self.rawValue = rawValue
    }

    /// Whether somebody can show the identifier of this seller.
    ///
    /// Nobody is *guest* or a seller of the sample market: those have numbers up to 0, and their
    /// products open by the password alone.
    package var canSignIn: Bool { rawValue > 0 }
  }

  package var id: ID
  /// The name as it came; foreign text.
  package var name: String

  package init(id: ID, name: String) {
    self.id = id
    self.name = name
  }

  /// The seller of everything that was registered without an identifier (v1).
  package static let guest = Seller(id: ID(rawValue: 0), name: "guest")
}
