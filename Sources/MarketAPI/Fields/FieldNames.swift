import MarketModel

/// What a dialect calls the fields of a product.
enum FieldNames: Sendable {
  /// v1
  case items
  /// v2
  case products

  /// The names under which a field is read; the first is the one that is written.
  func names(of field: ProductField) -> [StaticString] {
    switch (field, self) {
    case (.pictures, .items): ["images[]", "images"]
    case (.pictures, .products): ["images", "images[]"]
    case (.name, .items): ["title"]
    case (.name, .products): ["name"]
    case (.price, _): ["price"]
    case (.currency, _): ["currency"]
    case (.discount, _): ["discounted_price"]
    case (.stock, _): ["stock"]
    case (.description, .items): ["descriptions", "description"]
    case (.description, .products): ["description", "descriptions"]
    case (.password, .items): ["password"]
    case (.password, .products): ["secret"]
    }
  }

  func name(of field: ProductField) -> StaticString {
    names(of: field)[0]
  }

  /// The field of a name; nil for a name that is no field's.
  func field(named name: String) -> ProductField? {
    ProductField.allCases.first { names(of: $0).contains { $0.description == name } }
  }

  /// The field that a server's sentence speaks of: the first whose name occurs in it.
  func field(mentionedIn message: String) -> ProductField? {
    let words = message.split { !($0.isLetter || $0.isNumber || $0 == "_") }
    return words.lazy.compactMap { field(named: String($0)) }.first
  }
}
