/// Product as lists show it.
package struct Product: Hashable, Sendable, Identifiable {
  /// Number of a product: ascending, never reused; the newest has the highest.
  package struct ID: RawRepresentable, Hashable, Comparable, Sendable {
    package let rawValue: Int64

    package init(rawValue: Int64) { self.rawValue = rawValue }

    package static func < (left: ID, right: ID) -> Bool { left.rawValue < right.rawValue }
  }

  package var id: ID
  package var seller: Seller
  /// Name, unfiltered: foreign text.
  package var name: String
  package var pricing: Pricing
  /// Pieces left: 0 is sold out, at most 2^53.
  package var stock: Int64 { didSet { if isSoldOut { isReserved = false } } }
  /// Nil where the seller has not set it; so for `condition`.
  package var category: ProductCategory?
  package var condition: ProductCondition?
  /// Pickup place, one non-empty line; nil where the seller has not set it.
  package var place: String?
  /// Whether the seller has reserved it for a buyer; always false when sold out.
  package var isReserved = false { didSet { if isReserved, isSoldOut { isReserved = false } } }
  package var created: Timestamp
  package var changed: Timestamp
  /// First picture; nil where the source sent none that can be fetched.
  package var thumbnail: Picture?

  package init(
    id: ID, seller: Seller, name: String, pricing: Pricing, stock: Int64, created: Timestamp,
    changed: Timestamp, thumbnail: Picture?
  ) {
    self.id = id
    self.seller = seller
    self.name = name
    self.pricing = pricing
    self.stock = stock
    self.created = created
    self.changed = changed
    self.thumbnail = thumbnail
  }

  package var isSoldOut: Bool { stock == 0 }
  /// Whether it can be bought: in stock and not reserved.
  package var isAvailable: Bool { !isSoldOut && !isReserved }
}

/// Category of a product; raw values are those of files and of the API.
package enum ProductCategory: String, Hashable, Sendable, CaseIterable {
  case electronics, computers, furniture, kitchen, clothing, beauty, sports, outdoors, books, music
  case toys, baby, pets, tools, other

  package static let names = allCases.map(\.rawValue)
}

/// Condition of a product, from the best to parts only.
package enum ProductCondition: String, Hashable, Sendable, CaseIterable {
  case new
  case likeNew = "like-new"
  case good, fair, parts

  package static let names = allCases.map(\.rawValue)
  /// Raw values of all conditions but new.
  package static let used = Set(names).subtracting([new.rawValue])
}

/// Product with everything that its detail shows.
package struct ProductDetail: Hashable, Sendable, Identifiable {
  package var product: Product
  /// Description, unfiltered: foreign text; may be empty.
  package var description: String
  /// Numbers of questions about it, and of those without an answer.
  package var questionCount = 0
  package var unansweredCount = 0
  /// Whether the seller has closed questions about it.
  package var areQuestionsClosed = false
  /// All pictures in order; the first is the thumbnail.
  package var pictures: [Picture]
  /// Version that an edit names to be sure that it changes what was read; nil where the source has
  /// no versions.
  package var version: ProductVersion?

  package init(
    product: Product, description: String = "", pictures: [Picture] = [],
    version: ProductVersion? = nil
  ) {
    self.product = product
    self.description = description
    self.pictures = pictures
    self.version = version
  }

  package var id: Product.ID { product.id }
}

extension ProductDetail: FieldCarrier {
  package subscript(field: ProductField) -> FieldValue? {
    switch field {
    case .pictures: .pictures(pictures.map(\.original))
    case .name: .text(product.name)
    case .currency: product.pricing.price.map { .code($0.currency.rawValue) }
    case .price: product.pricing.price.map { .amount($0.full.hundredths) }
    case .discount: product.pricing.price.map { .amount($0.discountHundredths) }
    case .stock: .number(product.stock)
    case .category: FieldValue(product.category)
    case .condition: FieldValue(product.condition)
    case .place: FieldValue(line: product.place)
    case .reserved: FieldValue(flag: product.isReserved)
    case .questionsClosed: FieldValue(flag: areQuestionsClosed)
    case .description: .text(description)
    case .password, .sellerName, .sellerContact: nil
    }
  }

  /// Sets a field; the price also sets currency and discount, and pictures are left to the store,
  /// which has to find or add them.
  package mutating func set(_ field: ProductField, from values: FieldValues) {
    switch field {
    case .name: product.name = values[field]?.text ?? product.name
    case .price where values[field] != nil:
      product.pricing = values.price.map { .readable($0) } ?? .unreadable
    case .stock: product.stock = values[field]?.number ?? product.stock
    case .category: product.category = values.choice(field) ?? product.category
    case .condition: product.condition = values.choice(field) ?? product.condition
    case .place: product.place = values.line(field) ?? product.place
    case .reserved: product.isReserved = values.flag(field) ?? product.isReserved
    case .questionsClosed: areQuestionsClosed = values.flag(field) ?? areQuestionsClosed
    case .description: description = values[field]?.text ?? description
    case .pictures, .currency, .price, .discount, .password, .sellerName, .sellerContact: break
    }
  }

  /// Applies a patch except for its pictures, which a store has to find or add.
  package mutating func change(by patch: ProductPatch) {
    set(patch.values(over: self))
  }

  /// Everything that an edit can change, as texts; their digest is the version of a product whose
  /// server has none.
  ///
  /// The first texts have the order of drafts on disk, with the price as one text.
  package var content: [String] {
    let price = Self.inPrice.compactMap { self[$0]?.texts.first }
    return [product.name, description, String(product.stock)]
      + (price.isEmpty ? [] : [price.joined(separator: " ")])
      + Self.behindPrice.flatMap { self[$0]?.texts ?? [] }
  }

  private static let inPrice: [ProductField] = [.price, .discount, .currency]
  private static let behindPrice = ProductField.all(beginningWith: [.name, .description, .stock])
    .dropFirst(3).filter { !inPrice.contains($0) }
}

extension ProductDetail {
  /// All pictures; only the thumbnail where the repository lists none.
  package var picturesOrThumbnail: [Picture] {
    if pictures.isEmpty, let thumbnail = product.thumbnail { [thumbnail] } else { pictures }
  }
}

/// Version of a product: a counter of the store, or the entity tag of a server.
package struct ProductVersion: RawRepresentable, Hashable, Sendable {
  /// Separates the product's state from the mark of its representation, in entity tags.
  package static let separator: Character = "."

  package let rawValue: String

  package init(rawValue: String) { self.rawValue = rawValue }

  /// State without the mark, as the change log has it: equal in all representations of a product.
  package var state: ProductVersion {
    ProductVersion(rawValue: String(rawValue.prefix { $0 != Self.separator }))
  }
}

/// Instant in UTC with the precision of its source.
package struct Timestamp: Hashable, Sendable {
  package enum Precision: Hashable, Sendable {
    case second
    /// Only the UTC day is known; `seconds` is its midnight.
    case day
  }

  /// Seconds since 1970-01-01T00:00:00Z, within the years 1 to 9999.
  package var seconds: Int64
  package var precision: Precision

  /// Clamps seconds since 1970 to the years 1 to 9999: a store of another program may hold any
  /// number.
  package init(seconds: Int64, precision: Precision = .second) {
    self.seconds = min(max(seconds, -62_135_596_800), 253_402_300_799)
    self.precision = precision
  }

  /// Whole days since 1970-01-01 in UTC.
  package var utcDay: Int64 {
    Int64((Double(seconds) / 86_400).rounded(.down))
  }
}
