/// Seller of a product, as everyone may see it.
package struct Seller: Hashable, Sendable, Identifiable {
  /// The small number that a market shows for a seller (`vendor_id`).
  package struct ID: RawRepresentable, Hashable, Sendable {
    package let rawValue: Int64

    package init(rawValue: Int64) {
      self.rawValue = rawValue
    }

    /// The number of no seller: a search for an unknown name finds nothing by it.
    package static let nobody = ID(rawValue: .min)

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

/// How a seller wants to be reached: an address, a mail, a phone; one line, foreign text.
package struct SellerContact: Hashable, Sendable {
  package let text: String

  /// Takes a line of 1 to 200 characters, without the blanks around it; nil for what is none.
  ///
  /// What breaks lines or controls a terminal is no way to reach anybody.
  package init?(_ text: String) {
    let line = String(Substring(text).trimmed)
    guard !line.isEmpty, TextLimit.contact.allows(line),
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

/// Change of what everyone may see of a seller; what it does not name stays.
package struct SellerChange: Hashable, Sendable {
  /// 1 to 100 characters.
  package var name: String?
  package var contact: Contact?

  /// What becomes of the contact.
  package enum Contact: Hashable, Sendable {
    case set(SellerContact)
    case removed
  }

  package init(name: String? = nil, contact: Contact? = nil) {
    self.name = name
    self.contact = contact
  }

  /// The seller as the change makes it.
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
  /// Takes what somebody entered: nothing takes the contact away; nil for what is no contact.
  package init?(entered text: String) {
    guard !text.allSatisfy(\.isWhitespace) else {
      self = .removed
      return
    }
    guard let contact = SellerContact(text) else { return nil }
    self = .set(contact)
  }
}
