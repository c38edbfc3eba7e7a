/// The changes of one edit: what is nil stays as it is.
package struct ProductPatch: Sendable, Hashable {
  package var name: String?
  package var description: String?
  /// The full price, in hundredths.
  package var priceHundredths: Int64?
  package var currency: Currency?
  /// The discount as it is to be, or as it follows from the price to pay that is named.
  package var discount: Discount?
  package var stock: Int64?
  /// A nil within takes away what was said, as in `condition` and `place`.
  package var category: ProductCategory??
  package var condition: ProductCondition??
  package var place: String??
  package var isReserved: Bool?
  package var areQuestionsClosed: Bool?
  package var pictures: Pictures?
  /// Whether price and discount are named in whole units by who was shown whole units (v1): an
  /// amount equal to the one shown is no change.
  package var isInUnits = false

  /// The two ways in which the dialects name a discount.
  package enum Discount: Sendable, Hashable {
    /// The amount taken off (v2 `discounted_price`), in hundredths.
    case amount(Int64)
    /// The price to pay (v1 `discounted_price`), in hundredths; equal to the price removes it.
    case priceToPay(Int64)
    /// A v1 change of the price alone: the price to pay stays if it is still lower, in whatever
    /// currency, else the discount goes.
    case keepPriceToPay
  }

  /// The two ways in which pictures change.
  package enum Pictures: Sendable, Hashable {
    /// The whole list anew, in order; 1 to 5.
    case list([Element])
    /// One of the present pictures moves to the front (v2 `thumbnail_id`).
    case thumbnail(number: Int64)

    package enum Element: Sendable, Hashable {
      case kept(Picture)
      /// A file as it was uploaded.
      case new([UInt8])
    }
  }

  package init(
    name: String? = nil, description: String? = nil, priceHundredths: Int64? = nil,
    currency: Currency? = nil, discount: Discount? = nil, stock: Int64? = nil,
    pictures: Pictures? = nil, isInUnits: Bool = false
  ) {
    self.name = name
    self.description = description
    self.priceHundredths = priceHundredths
    self.currency = currency
    self.discount = discount
    self.stock = stock
    self.pictures = pictures
    self.isInUnits = isInUnits
  }

  package var isEmpty: Bool { self == ProductPatch() }
}

extension ProductPatch: FieldCarrier {
  package subscript(field: ProductField) -> FieldValue? {
    switch field {
    case .name: name.map { .text($0) }
    case .currency: currency.map { .code($0.rawValue) }
    case .price: priceHundredths.map { .amount($0) }
    case .discount: if case .amount(let hundredths) = discount { .amount(hundredths) } else { nil }
    case .stock: stock.map { .number($0) }
    case .category: category.map { FieldValue($0) }
    case .condition: condition.map { FieldValue($0) }
    case .place: place.map { FieldValue(line: $0) }
    case .reserved: isReserved.map { FieldValue(flag: $0) }
    case .questionsClosed: areQuestionsClosed.map { FieldValue(flag: $0) }
    case .description: description.map { .text($0) }
    case .pictures, .password: nil
    }
  }

  package mutating func take(_ field: ProductField, from values: FieldValues) {
    switch field {
    case .name: name = values[field]?.text ?? name
    case .currency: currency = values[field]?.code.map(Currency.init) ?? currency
    case .price: priceHundredths = values[field]?.amount ?? priceHundredths
    case .discount: discount = values[field]?.amount.map { .amount($0) } ?? discount
    case .stock: stock = values[field]?.number ?? stock
    case .category: if let choice: ProductCategory? = values.choice(field) { category = choice }
    case .condition: if let choice: ProductCondition? = values.choice(field) { condition = choice }
    case .place: place = values.line(field) ?? place
    case .reserved: isReserved = values.flag(field) ?? isReserved
    case .questionsClosed: areQuestionsClosed = values.flag(field) ?? areQuestionsClosed
    case .description: description = values[field]?.text ?? description
    case .pictures, .password: break
    }
  }

  /// The values of a product's fields as this patch leaves them, as far as it may change them; of
  /// price, currency and discount all or none.
  func values(over detail: ProductDetail) -> FieldValues {
    var values = fieldValues
    guard let old = detail.product.pricing.price else {
      for field in [ProductField.price, .currency, .discount] { values[field] = nil }
      return values
    }
    let (full, discount) = prices(over: old)
    values[.price] = .amount(full.hundredths)
    values[.currency] = .code(full.currency.rawValue)
    values[.discount] = .amount(discount)
    return values
  }
}

// MARK: Price

extension ProductPatch {
  /// The price as this patch leaves an old one; it may break the rules, and
  /// `StorageRules.problems(of:over:)` says so.
  package func prices(over old: Price) -> (full: Money, discountHundredths: Int64) {
    if isInUnits { return pricesInUnits(over: old) }
    let full = Money(
      hundredths: priceHundredths ?? old.full.hundredths, currency: currency ?? old.currency)
    return (full, discountHundredths(of: full, over: old))
  }

  private func discountHundredths(of full: Money, over old: Price) -> Int64 {
    switch discount {
    case nil: old.discountHundredths
    case .amount(let amount): amount
    case .priceToPay(let toPay): Self.discount(from: full, to: toPay)
    case .keepPriceToPay:
      old.isReduced && old.toPay.hundredths < full.hundredths
        ? Self.discount(from: full, to: old.toPay.hundredths) : 0
    }
  }

  /// The same where the amounts are those that v1 shows, in whole units rounded up: one that is
  /// named as it is shown stays exactly what it is, fraction included.
  private func pricesInUnits(over old: Price) -> (full: Money, discountHundredths: Int64) {
    let shown = (full: old.full.hundredthsRoundedUp, toPay: old.toPay.hundredthsRoundedUp)
    let named = priceHundredths ?? shown.full
    let isSameCurrency = currency == nil || currency == old.currency
    let isUnchanged = named == shown.full && (priceHundredths == nil || isSameCurrency)
    let full = Money(
      hundredths: isUnchanged ? old.full.hundredths : named, currency: currency ?? old.currency)
    switch discount {
    case .priceToPay(named): return (full, 0)
    case .priceToPay(shown.toPay) where shown.toPay < named:
      return (full, Self.discount(from: full, to: old.toPay.hundredths))
    case nil where isUnchanged, .keepPriceToPay where isUnchanged:
      return (full, old.discountHundredths)
    case nil, .keepPriceToPay:
      // A reduction of less than a unit is not shown, and goes with the price it was taken off.
      let stays = shown.toPay < shown.full && shown.toPay < full.hundredthsRoundedUp
      return (full, stays ? Self.discount(from: full, to: old.toPay.hundredths) : 0)
    case .priceToPay, .amount: return (full, discountHundredths(of: full, over: old))
    }
  }

  private static func discount(from full: Money, to toPay: Int64) -> Int64 {
    full.hundredths.subtractingReportingOverflow(toPay).partialValue
  }

  /// The patch with its discount as the amount taken off.
  package func namingAmount(changing current: Price) throws(RepositoryError) -> ProductPatch {
    guard discount != nil else { return self }
    var patch = self
    patch.discount = .amount(try priceNow(over: current).discountHundredths)
    return patch
  }

  /// The patch with its discount as the price to pay; also where the price alone changes, for
  /// who keeps the price to pay would else change the amount.
  package func namingPriceToPay(changing current: Price) throws(RepositoryError) -> ProductPatch {
    let price = try priceNow(over: current)
    guard discount != nil || (priceHundredths != nil && current.isReduced) else { return self }
    var patch = self
    patch.discount = .priceToPay(price.toPay.hundredths)
    return patch
  }

  /// The price as the patch leaves it, which keeps the rules.
  private func priceNow(over current: Price) throws(RepositoryError) -> Price {
    let (full, discount) = prices(over: current)
    guard let price = Price(full: full, discountHundredths: discount) else {
      throw .invalid(StorageRules.price(full.hundredths, discount: discount))
    }
    return price
  }
}

// MARK: Applying

extension ProductPatch {
  /// Why these changes are not made; nil where they may be.
  package func refusal(
    over present: ProductDetail, expecting expected: ProductVersion?
  ) -> RepositoryError? {
    if let expected, expected != present.version { return .conflict(current: present) }
    let problems = StorageRules.problems(of: self, over: present)
    return problems.isEmpty ? nil : .invalid(problems)
  }
}

extension ProductPatch.Pictures {
  /// The files that are to be added, in order.
  package var newFiles: [[UInt8]] {
    guard case .list(let elements) = self else { return [] }
    return elements.compactMap { element in
      guard case .new(let file) = element else { return nil }
      return file
    }
  }

  /// The keys of a product's pictures as this change leaves them, in order.
  ///
  /// `files` are the new ones, fit to be kept, in their order; `keep` stores one and returns its key.
  package func keys<File, Failure: Error>(
    over present: [Picture], files: [File],
    keeping keep: (File) throws(Failure) -> Int64
  ) throws(Failure) -> [Int64] {
    switch self {
    case .thumbnail(let number):
      let numbers = present.compactMap(\.number)
      return numbers.filter { $0 == number } + numbers.filter { $0 != number }
    case .list(let elements):
      var files = files[...]
      var keys: [Int64] = []
      for element in elements {
        switch element {
        case .kept(let picture): if let number = picture.number { keys.append(number) }
        case .new: if let file = files.popFirst() { keys.append(try keep(file)) }
        }
      }
      return keys
    }
  }
}
