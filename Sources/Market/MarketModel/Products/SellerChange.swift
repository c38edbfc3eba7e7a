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
