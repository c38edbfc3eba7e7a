/// Public profile of a seller.
package struct Seller: Hashable, Sendable, Identifiable {
  /// Public number of a seller (`vendor_id`).
  package struct ID: RawRepresentable, Hashable, Sendable {
    package let rawValue: Int64

    package init(rawValue: Int64) { self.rawValue = rawValue }

    /// Number of no seller: a search for an unknown name finds nothing by it.
    package static let nobody = ID(rawValue: .min)

    /// Whether a client can sign in as this seller.
    ///
    /// False for *guest* and the sellers of the sample market, with numbers up to 0: their products
    /// need the password alone.
    package var canSignIn: Bool { rawValue > 0 }
  }

  package var id: ID
  /// Name, unfiltered: foreign text.
  package var name: String
  /// Contact of the seller; nil where none was set, and in lists, which omit it.
  package var contact: SellerContact?

  package init(id: ID, name: String, contact: SellerContact? = nil) {
    self.id = id
    self.name = name
    self.contact = contact
  }

  /// Seller without a name yet.
  package init(unnamed id: ID) { self.init(id: id, name: "seller \(id.rawValue)") }

  /// Whether the seller has set the name; false for one made from the number.
  package var isNamed: Bool { name != Seller(unnamed: id).name }

  /// Seller of all products that were registered without an identifier (v1).
  package static let guest = Seller(id: ID(rawValue: 0), name: "guest")
}

/// Secret UUID by which a market authenticates a seller.
///
/// Like a password it has no coding and prints as dots.
package struct SellerIdentifier: Hashable, Sendable {
  /// The text itself, only for the request header, the settings file of mode 0600 and the store.
  package let secret: String

  package init(secret: String) { self.secret = secret }
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

  /// Takes a typed text; nil unless it is one word of 1 to 128 visible ASCII characters.
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
  /// Seller with an identifier (v2 and the local market): may change only its own products and those
  /// of *guest*.
  case seller(SellerIdentifier)
  /// Author without an identifier (v1): registers as *guest*, and the password alone authorizes
  /// changes.
  case guest
}

/// Contact of a seller: an address, e-mail or phone; one line of foreign text.
package struct SellerContact: Hashable, Sendable {
  package let text: String

  /// Takes a line of 1 to 200 characters and trims it; nil for other texts, and for control
  /// characters and line breaks.
  package init?(_ text: String) {
    let line = String(Substring(text).trimmed)
    guard !line.isVisiblyEmpty, TextLimit.contact.allows(line),
      line.unicodeScalars.allSatisfy({ !Self.breaks($0) })
    else { return nil }
    self.text = line
  }

  private static func breaks(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }
}

/// Change of a seller's public profile; nil leaves a value unchanged.
package struct SellerChange: Hashable, Sendable {
  /// 1 to 100 characters; others are `.invalid`.
  package var name: String?
  package var contact: Contact?

  /// Change of the contact.
  package enum Contact: Hashable, Sendable {
    case set(SellerContact)
    case removed
  }

  package init(name: String? = nil, contact: Contact? = nil) {
    self.name = name
    self.contact = contact
  }

  /// Returns the seller with this change applied.
  package func applied(to seller: Seller) -> Seller {
    var seller = seller
    if let name { seller.name = name }
    switch contact {
    case .set(let contact): seller.contact = contact
    case .removed: seller.contact = nil
    case nil: break
    }
    return seller
  }
}

extension SellerChange.Contact {
  /// Takes a typed text: an empty one removes the contact; nil for an invalid one.
  package init?(entered text: String) {
    guard !text.isVisiblyEmpty else {
      self = .removed
      return
    }
    guard let contact = SellerContact(text) else { return nil }
    self = .set(contact)
  }
}
