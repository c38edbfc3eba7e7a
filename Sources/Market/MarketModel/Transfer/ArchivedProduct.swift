/// Product with everything that a market stores for it, for a transfer between markets.
package struct ArchivedProduct: Hashable, Sendable {
  /// Number at its origin; nil where it has none.
  package var id: Product.ID?
  package var seller: ArchivedSeller
  package var name: String
  package var description: String
  package var price: Price
  package var stock: Int64
  package var category: ProductCategory?
  package var condition: ProductCondition?
  package var place: String?
  package var isReserved = false
  package var areQuestionsClosed = false
  /// Seconds since 1970 in UTC; so for `changed`.
  package var created: Int64
  package var changed: Int64
  /// Number of versions so far, from 1.
  package var version: Int64
  /// Argon2id hash; empty where no password is set.
  package var passwordHash: String
  /// Names of the picture files in order: content hashes in a store, file names with extension in an
  /// archive.
  package var pictures: [String]
  /// Questions, the oldest first, without hidden ones.
  package var questions: [ArchivedQuestion] = []

  package init(
    id: Product.ID? = nil, seller: ArchivedSeller = .guest, name: String,
    description: String = "", price: Price, stock: Int64, created: Int64, changed: Int64,
    version: Int64 = 1, passwordHash: String = "", pictures: [String] = []
  ) {
    self.id = id
    self.seller = seller
    self.name = name
    self.description = description
    self.price = price
    self.stock = stock
    self.created = created
    self.changed = changed
    self.version = version
    self.passwordHash = passwordHash
    self.pictures = pictures
  }
}

extension ArchivedProduct: FieldCarrier {
  package subscript(field: ProductField) -> FieldValue? {
    switch field {
    case .pictures: .pictures(pictures)
    case .name: .text(name)
    case .currency: .code(price.currency.rawValue)
    case .price: .amount(price.full.hundredths)
    case .discount: .amount(price.discountHundredths)
    case .stock: .number(stock)
    case .category: FieldValue(category)
    case .condition: FieldValue(condition)
    case .place: FieldValue(line: place)
    case .reserved: FieldValue(flag: isReserved)
    case .questionsClosed: FieldValue(flag: areQuestionsClosed)
    case .description: .text(description)
    case .password, .sellerName, .sellerContact: nil
    }
  }

  /// Setting the price also sets currency and discount.
  package mutating func set(_ field: ProductField, from values: FieldValues) {
    switch field {
    case .pictures: pictures = values[field]?.pictures ?? pictures
    case .name: name = values[field]?.text ?? name
    case .price: price = values.price ?? price
    case .stock: stock = values[field]?.number ?? stock
    case .category: category = values.choice(field) ?? category
    case .condition: condition = values.choice(field) ?? condition
    case .place: place = values.line(field) ?? place
    case .reserved: isReserved = values.flag(field) ?? isReserved
    case .questionsClosed: areQuestionsClosed = values.flag(field) ?? areQuestionsClosed
    case .description: description = values[field]?.text ?? description
    case .currency, .discount, .password, .sellerName, .sellerContact: break
    }
  }

  /// Creates a product from field values, with missing ones empty; nil where they contain no valid
  /// price.
  ///
  /// Times are seconds since 1970 in UTC.
  package init?(_ values: FieldValues, created: Int64, changed: Int64) {
    guard let price = values.price else { return nil }
    self.init(name: "", price: price, stock: 0, created: created, changed: changed)
    set(values)
  }
}

/// Question with its asker, for transfers and operators.
package struct ArchivedQuestion: Hashable, Sendable {
  package var question: Question
  package var asker: ArchivedSeller

  package init(_ question: Question, by asker: ArchivedSeller) {
    self.question = question
    self.asker = asker
  }
}

/// Seller of transferred products and questions.
package struct ArchivedSeller: Hashable, Sendable {
  package var id: Seller.ID?
  package var name: String
  /// Hash of the seller's identifier; nil where no client can sign in as this seller.
  package var identifierHash: [UInt8]?
  /// Contact of the seller; nil for none.
  package var contact: SellerContact?

  package init(
    id: Seller.ID?, name: String, identifierHash: [UInt8]? = nil, contact: SellerContact? = nil
  ) {
    self.id = id
    self.name = name
    self.contact = contact
    self.identifierHash = identifierHash
  }

  package static let guest = ArchivedSeller(id: Seller.guest.id, name: Seller.guest.name)
}
