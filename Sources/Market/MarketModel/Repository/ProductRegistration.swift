/// Product to register.
package struct ProductRegistration: Sendable {
  package var name: String
  package var description: String
  package var price: Money
  /// Amount taken off, in hundredths of `price.currency`.
  package var discountHundredths: Int64
  package var stock: Int64
  package var category: ProductCategory?
  package var condition: ProductCondition?
  package var place: String?
  package var isReserved = false
  package var areQuestionsClosed = false
  /// 1 to 5 picture files as uploaded; the first is the thumbnail.
  package var pictures: [[UInt8]]
  package var password: Password

  package init(
    name: String = "", description: String = "",
    price: Money = Money(hundredths: 0, currency: .krw), discountHundredths: Int64 = 0,
    stock: Int64 = 0, pictures: [[UInt8]], password: Password
  ) {
    self.name = name
    self.description = description
    self.price = price
    self.discountHundredths = discountHundredths
    self.stock = stock
    self.pictures = pictures
    self.password = password
  }

  /// Creates a registration from field values; missing fields keep the defaults of `init`.
  package init(_ values: FieldValues, pictures: [[UInt8]], password: Password) {
    self.init(pictures: pictures, password: password)
    set(values)
  }
}

extension ProductRegistration: FieldCarrier {
  package subscript(field: ProductField) -> FieldValue? {
    switch field {
    case .name: .text(name)
    case .currency: .code(price.currency.rawValue)
    case .price: .amount(price.hundredths)
    case .discount: .amount(discountHundredths)
    case .stock: .number(stock)
    case .category: FieldValue(category)
    case .condition: FieldValue(condition)
    case .place: FieldValue(line: place)
    case .reserved: FieldValue(flag: isReserved)
    case .questionsClosed: FieldValue(flag: areQuestionsClosed)
    case .description: .text(description)
    case .pictures, .password, .sellerName, .sellerContact: nil
    }
  }

  package mutating func set(_ field: ProductField, from values: FieldValues) {
    switch field {
    case .name: name = values[field]?.text ?? name
    case .currency: price.currency = values[field]?.code.map(Currency.init) ?? price.currency
    case .price: price.hundredths = values[field]?.amount ?? price.hundredths
    case .discount: discountHundredths = values[field]?.amount ?? discountHundredths
    case .stock: stock = values[field]?.number ?? stock
    case .category: category = values.choice(field) ?? category
    case .condition: condition = values.choice(field) ?? condition
    case .place: place = values.line(field) ?? place
    case .reserved: isReserved = values.flag(field) ?? isReserved
    case .questionsClosed: areQuestionsClosed = values.flag(field) ?? areQuestionsClosed
    case .description: description = values[field]?.text ?? description
    case .pictures, .password, .sellerName, .sellerContact: break
    }
  }

  /// Whether the product has the values of this registration, in the fields that a list shows.
  package func describes(_ product: Product) -> Bool {
    let detail = ProductDetail(product: product)
    return ProductField.allCases.filter(\.isListed).allSatisfy { self[$0] == detail[$0] }
  }

  /// Whether the product has all values of this registration, except pictures, which a market encodes
  /// again.
  package func describes(_ detail: ProductDetail) -> Bool {
    fieldValues.allSatisfy { field, value in detail[field] == value }
  }
}

/// Random text that identifies one registration or question; a client repeats it when it sends again.
package struct IdempotencyKey: RawRepresentable, Hashable, Sendable {
  package let rawValue: String

  package init(rawValue: String) { self.rawValue = rawValue }
}
