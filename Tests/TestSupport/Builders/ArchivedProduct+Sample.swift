import MarketModel

extension ArchivedProduct {
  /// A product of which every property is another one than in a blank product, so that whatever is
  /// lost on a way shows; its seller, its price and its pictures too.
  package static let complete: ArchivedProduct = {
    let full = Money(hundredths: 1_999, currency: .usd)
    guard let price = Price(full: full, discountHundredths: 499) else {
      preconditionFailure("a discount below the price is one")
    }
    return ArchivedProduct(
      id: Product.ID(rawValue: 41),
      seller: ArchivedSeller(
        id: Seller.ID(rawValue: 17), name: "Ana",
        identifierHash: (0..<32).map { UInt8($0) }),
      name: "Lamp \u{0}한글", description: "Barely\nused.", price: price, stock: 7,
      created: 1_600_000_001, changed: 1_700_000_002, version: 5,
      passwordHash: "$argon2id$v=19$m=8,t=1,p=1$c2FsdHNhbHRzYWx0$aGFzaA",
      pictures: ["one", "two"])
  }()

  /// A product of which nothing is known.
  package static let blank: ArchivedProduct = {
    guard let price = Price(full: Money(hundredths: 0, currency: .krw)) else {
      preconditionFailure("nothing is a price")
    }
    return ArchivedProduct(
      seller: ArchivedSeller(id: nil, name: ""), name: "", price: price, stock: 0, created: 0,
      changed: 0)
  }()
}

/// The names of the stored properties that are the same in two values.
package func sameProperties<Value>(_ one: Value, _ other: Value) -> [String] {
  properties(of: one).filter { name, value in properties(of: other)[name] == value }
    .map(\.key).sorted()
}

/// The names of the stored properties that differ in two values.
package func differentProperties<Value>(_ one: Value, _ other: Value) -> [String] {
  properties(of: one).filter { name, value in properties(of: other)[name] != value }
    .map(\.key).sorted()
}

/// Stored properties by their names; each is to be hashable.
private func properties(of value: Any) -> [String: AnyHashable] {
  var properties: [String: AnyHashable] = [:]
  for (name, value) in Mirror(reflecting: value).children {
    guard let name else { continue }
    guard let value = value as? AnyHashable else { preconditionFailure("\(name) is not hashable") }
    properties[name] = value
  }
  return properties
}
