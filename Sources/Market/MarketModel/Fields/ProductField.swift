/// The fields of a product that a seller fills in, in the order of the form.
///
/// What a field is stands in the switches below; each type that carries products has two more
/// (`FieldCarrier`). The raw value is the field's name in drafts and in files of products.
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
    }
  }

  /// How long a text may be; nil for what is none.
  package var limit: TextLimit? {
    switch kind {
    case .line(let limit), .text(let limit): limit
    case .amount, .number, .currency, .choice, .flag, .pictures, .password: nil
    }
  }

  /// The value of a product that does not name the field in an archive; nil where it has to.
  package var standard: FieldValue? {
    switch self {
    case .pictures: .pictures([])
    case .name, .description: .text("")
    case .currency: .code(Currency.krw.rawValue)
    case .discount: .amount(0)
    case .stock: .number(0)
    case .category, .condition, .place, .reserved, .questionsClosed: .absent
    case .price, .password: nil
    }
  }

  /// Whether a seller may leave the field empty, which then has its standard value.
  package var isOptional: Bool {
    switch self {
    case .discount, .category, .condition, .place, .reserved, .questionsClosed: true
    case .pictures, .name, .currency, .price, .stock, .description, .password: false
    }
  }

  /// Whether all markets have the field; one that came later is lacking in those that are older or
  /// somebody else's.
  package var isInEveryMarket: Bool {
    switch self {
    case .pictures, .name, .currency, .price, .discount, .stock, .description, .password: true
    case .category, .condition, .place, .reserved, .questionsClosed: false
    }
  }

  /// Whether a list of products tells the field, and not the detail alone.
  package var isListed: Bool {
    switch self {
    case .name, .currency, .price, .discount, .stock, .category, .condition, .place, .reserved: true
    case .questionsClosed, .pictures, .description, .password: false
    }
  }

  /// The fields that say what became of a product; the form of a new one lacks them.
  package static let ofListed: Set<ProductField> = [.reserved, .questionsClosed]

  /// The fields by whose value a list can be narrowed.
  package static let choices = allCases.filter { field in
    switch field.kind {
    case .currency, .choice: true
    case .line, .text, .amount, .number, .flag, .pictures, .password: false
    }
  }

  /// Values of a choice in the order in which they are offered.
  package func inOrder(_ values: Set<String>) -> [String] {
    guard case .choice(let names) = kind else { return values.sorted() }
    return names.filter(values.contains)
  }

  /// All fields that archives spell out, in their order: pictures, which are files, come last.
  package static let inArchives = all(
    beginningWith: [.name, .description, .currency, .price, .discount, .stock])

  /// All fields that have values: these first, then the others, pictures last.
  ///
  /// So an order that files and digests know stays what it is, and a new field has a place in it.
  package static func all(beginningWith first: [ProductField]) -> [ProductField] {
    let rest = allCases.filter { !first.contains($0) && $0 != .password && $0 != .pictures }
    return first + rest + (first.contains(.pictures) ? [] : [.pictures])
  }

  /// What is wrong with the field among values; the price looks at the discount as well.
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

/// What is wrong with one field.
package struct FieldError: Hashable, Sendable {
  package enum Problem: Hashable, Sendable {
    case missing
    case unreadable
    /// Fewer than `minimum` characters, pieces or pictures.
    case tooShort(minimum: Int)
    /// More than `maximum` characters, pieces, bytes or pictures.
    case tooLong(maximum: Int)
    case negative
    /// A discount above the price, in hundredths.
    case abovePrice(priceHundredths: Int64)
    /// A text that is no amount of the product's currency.
    case amount(AmountError)
    /// An amount with a fraction, where the market takes whole units alone.
    case notWhole
    /// With the currencies that the market takes; none where nobody says so.
    case unsupportedCurrency([Currency])
    /// A field that the market does not have, where something was to be said in it.
    case lacking
    case unsupportedPicture
    case pictureTooLarge(maximumBytes: Int)
    /// What a server said in its own words; foreign text.
    case refused(String)
  }

  package var field: ProductField
  package var problem: Problem

  package init(_ field: ProductField, _ problem: Problem) {
    self.field = field
    self.problem = problem
  }
}
