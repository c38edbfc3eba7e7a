/// Fields that a seller fills in, in the order of the form: those of a product, `allCases`, and those
/// of the seller, `ofSeller`.
///
/// The switches below define each field; each type with products has two more (`FieldCarrier`). The
/// raw value is the field's name in drafts and archives.
package enum ProductField: String, Hashable, Sendable, CaseIterable {
  case pictures
  case name
  case currency
  case price
  case discount
  case stock
  case category
  case condition
  case place
  case reserved
  case questionsClosed = "questions_closed"
  case description
  case password
  case sellerName = "seller_name"
  case sellerContact = "seller_contact"

  package static let allCases: [ProductField] = [
    .pictures, .name, .currency, .price, .discount, .stock, .category, .condition, .place,
    .reserved, .questionsClosed, .description, .password,
  ]

  /// Fields of the seller, which the form of a first product has and no product.
  package static let ofSeller: [ProductField] = [.sellerName, .sellerContact]

  /// Hashes the case alone: the standard library would hash its raw value, a text.
  package func hash(into hasher: inout Hasher) {
    withUnsafeBytes(of: self) { hasher.combine(bytes: $0) }
  }

  package var kind: FieldKind {
    switch self {
    case .pictures: .pictures
    case .name: .line(.productName)
    case .currency: .currency
    case .price, .discount: .amount
    case .stock: .number(StorageRules.stock)
    case .category: .choice(ProductCategory.names)
    case .condition: .choice(ProductCondition.names)
    case .place: .line(.place)
    case .reserved, .questionsClosed: .flag
    case .description: .text(.description)
    case .password: .password
    case .sellerName: .line(.sellerName)
    case .sellerContact: .line(.contact)
    }
  }

  /// Length limit of a text; nil for other kinds.
  package var limit: TextLimit? {
    switch kind {
    case .line(let limit), .text(let limit): limit
    case .amount, .number, .currency, .choice, .flag, .pictures, .password: nil
    }
  }

  /// Default in an archive without the field; nil where the field is required.
  package var standard: FieldValue? {
    switch self {
    case .pictures: .pictures([])
    case .name, .description, .sellerName, .sellerContact: .text("")
    case .currency: .code(Currency.krw.rawValue)
    case .discount: .amount(0)
    case .stock: .number(0)
    case .category, .condition, .place, .reserved, .questionsClosed: .absent
    case .price, .password: nil
    }
  }

  /// Whether a seller may leave the field empty, which sets `standard`.
  package var isOptional: Bool {
    switch self {
    case .discount, .category, .condition, .place, .reserved, .questionsClosed, .sellerContact: true
    case .pictures, .name, .currency, .price, .stock, .description, .password, .sellerName: false
    }
  }

  /// Whether all markets have the field; false for fields that only our servers have.
  package var isInEveryMarket: Bool {
    switch self {
    case .pictures, .name, .currency, .price, .discount, .stock, .description, .password: true
    case .category, .condition, .place, .reserved, .questionsClosed, .sellerName, .sellerContact:
      false
    }
  }

  /// Whether lists contain the field, not only details.
  package var isListed: Bool {
    switch self {
    case .name, .currency, .price, .discount, .stock, .category, .condition, .place, .reserved: true
    case .questionsClosed, .pictures, .description, .password, .sellerName, .sellerContact: false
    }
  }

  /// Fields that only exist for listed products; the form of a new product lacks them.
  package static let ofListed: Set<ProductField> = [.reserved, .questionsClosed]

  /// Fields whose values can filter a list.
  package static let choices = allCases.filter { field in
    switch field.kind {
    case .currency, .choice: true
    case .line, .text, .amount, .number, .flag, .pictures, .password: false
    }
  }

  /// Returns values of a choice in the order in which forms offer them.
  package func inOrder(_ values: Set<String>) -> [String] {
    guard case .choice(let names) = kind else { return values.sorted() }
    return names.filter(values.contains)
  }

  /// Fields of an archive in their order; pictures, which are files, come last.
  package static let inArchives = all(
    beginningWith: [.name, .description, .currency, .price, .discount, .stock])

  /// Returns all fields with values: `first`, then the others, pictures last.
  ///
  /// This keeps the order of files and digests stable, and gives new fields a place.
  package static func all(beginningWith first: [ProductField]) -> [ProductField] {
    let rest = allCases.filter { !first.contains($0) && $0 != .password && $0 != .pictures }
    return first + rest + (first.contains(.pictures) ? [] : [.pictures])
  }

  /// Returns what is wrong with the field in these values; `price` also checks the discount.
  package func problems(in values: FieldValues) -> [FieldError] {
    switch self {
    case .price:
      guard let full = values[.price]?.amount else { return [] }
      return StorageRules.price(full, discount: values[.discount]?.amount ?? 0)
    case .discount: return []
    default: return values[self].flatMap(kind.problem).map { [FieldError(self, $0)] } ?? []
    }
  }
}

/// Validation error of one field.
package struct FieldError: Hashable, Sendable {
  package enum Problem: Hashable, Sendable {
    case missing
    case unreadable
    /// Control characters, in a text that must have none.
    case controls
    /// Fewer than `minimum` characters, pieces or pictures.
    case tooShort(minimum: Int)
    /// More than `maximum` characters, pieces, bytes or pictures.
    case tooLong(maximum: Int)
    case negative
    /// A discount above the price, in hundredths.
    case abovePrice(priceHundredths: Int64)
    /// A text that is no valid amount of the product's currency.
    case amount(AmountError)
    /// An amount with a fraction, at a market with whole units only.
    case notWhole
    /// With the market's currencies; empty where they are unknown.
    case unsupportedCurrency([Currency])
    /// A value for a field that the market does not have.
    case lacking
    case unsupportedPicture
    case pictureTooLarge(maximumBytes: Int)
    /// A server's message; foreign text.
    case refused(String)
  }

  package var field: ProductField
  package var problem: Problem

  package init(_ field: ProductField, _ problem: Problem) {
    self.field = field
    self.problem = problem
  }
}
