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

  /// A seller who has not said a name yet.
  package init(unnamed id: ID) {
    self.init(id: id, name: "seller \(id.rawValue)")
  }

  /// Whether the name was said by the seller, and not made up by a market.
  package var isNamed: Bool { self != Seller(unnamed: id) }

  /// The seller of everything that was registered without an identifier (v1).
  package static let guest = Seller(id: ID(rawValue: 0), name: "guest")
}
