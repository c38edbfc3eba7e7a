/// Seller of a product, as everyone may see it.
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
  /// How the seller wants to be reached; nil where nothing is said, and in lists, which leave it to
  /// details.
  package var contact: SellerContact?

  package init(id: ID, name: String, contact: SellerContact? = nil) {
    self.id = id
    self.name = name
    self.contact = contact
  }

  /// A seller who has not said a name yet.
  package init(unnamed id: ID) {
    self.init(id: id, name: "seller \(id.rawValue)")
  }

  /// Whether the name was said by the seller, and not made up by a market.
  package var isNamed: Bool { name != Seller(unnamed: id).name }

  /// The seller of everything that was registered without an identifier (v1).
  package static let guest = Seller(id: ID(rawValue: 0), name: "guest")
}

/// The secret by which a market knows a seller: a UUID that is a credential.
///
/// Like a password it has no coding and prints as dots.
package struct SellerIdentifier: Hashable, Sendable {
  /// The text itself; for the request header, the settings file of mode 0600 and the store only.
  package let secret: String

  package init(secret: String) {
    self.secret = secret
  }
}

extension SellerIdentifier: CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  package var description: String { "••••" }
  package var debugDescription: String { description }
  package var customMirror: Mirror { Mirror(self, children: []) }
}

extension SellerIdentifier {
  private static let longest = 128

  /// Takes a text that somebody entered; nil unless it is one word that a header can hold.
  package init?(entered text: String) {
    let word = text.drop { $0.isWhitespace }.prefix { !$0.isWhitespace }
    let rest = text[word.endIndex...]
    guard (1...Self.longest).contains(word.count), rest.allSatisfy(\.isWhitespace),
      word.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
    else { return nil }
    self.init(secret: String(word))
  }
}

/// Author of a registration or a change: a seller or a guest.
package enum Author: Hashable, Sendable {
  /// A seller who showed an identifier (v2 and the local market): only its own products and those
  /// of *guest* may be changed.
  case seller(SellerIdentifier)
  /// Nobody in particular (v1): registers as *guest*, and the password alone decides.
  case guest
}
