/// Changes of one edit; a nil property leaves its field unchanged.
package struct ProductPatch: Sendable, Hashable {
  package var name: String?
  package var description: String?
  /// Full price in hundredths.
  package var priceHundredths: Int64?
  package var currency: Currency?
  /// New discount, as an amount or as the resulting price; nil leaves it unchanged.
  package var discount: Discount?
  package var stock: Int64?
  /// The inner nil removes the value; so for `condition` and `place`.
  package var category: ProductCategory??
  package var condition: ProductCondition??
  package var place: String??
  package var isReserved: Bool?
  package var areQuestionsClosed: Bool?
  package var pictures: Pictures?
  /// Whether price and discount are whole units, from a v1 client, which is shown whole units: an
  /// amount equal to the one shown is no change.
  package var isInUnits = false

  /// The two ways in which the dialects name a discount.
  package enum Discount: Sendable, Hashable {
    /// The amount taken off (v2 `discounted_price`), in hundredths.
    case amount(Int64)
    /// The price to pay (v1 `discounted_price`), in hundredths; equal to the price removes it.
    case priceToPay(Int64)
    /// A v1 change of the price alone: the price to pay stays if it is still lower, in any
    /// currency; else the discount is removed.
    case keepPriceToPay
  }

  /// The two ways to change pictures.
  package enum Pictures: Sendable, Hashable {
    /// The complete new list, in order; 1 to 5 pictures.
    case list([Element])
    /// Moves one of the present pictures to the front (v2 `thumbnail_id`).
    case thumbnail(number: Int64)

    package enum Element: Sendable, Hashable {
      case kept(Picture)
      /// Picture file as uploaded.
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
    case .pictures, .password, .sellerName, .sellerContact: nil
    }
  }

  package mutating func set(_ field: ProductField, from values: FieldValues) {
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
    case .pictures, .password, .sellerName, .sellerContact: break
    }
  }

  /// Returns the field values after this patch, of the fields that it may change; price, currency and
  /// discount all or none.
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
  /// Returns the price after this patch, which may break the rules: `StorageRules.problems(of:over:)`
  /// checks them.
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

  /// Like `prices(over:)`, for amounts as v1 shows them, in whole units rounded up: an amount equal
  /// to the one shown keeps the stored value, fraction included.
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
      // A discount of less than a unit is not shown, so a change of the price removes it.
      let stays = shown.toPay < shown.full && shown.toPay < full.hundredthsRoundedUp
      return (full, stays ? Self.discount(from: full, to: old.toPay.hundredths) : 0)
    case .priceToPay, .amount: return (full, discountHundredths(of: full, over: old))
    }
  }

  private static func discount(from full: Money, to toPay: Int64) -> Int64 {
    full.hundredths.subtractingReportingOverflow(toPay).partialValue
  }

  /// Returns the patch with its discount as the amount taken off.
  ///
  /// - Throws: `.invalid` naming `.price` or `.discount` where the resulting price breaks the rules.
  package func namingAmount(changing current: Price) throws(RepositoryError) -> ProductPatch {
    guard discount != nil else { return self }
    var patch = self
    patch.discount = .amount(try priceNow(over: current).discountHundredths)
    return patch
  }

  /// Returns the patch with its discount as the price to pay; also where only the price changes,
  /// because a server that keeps the price to pay would change the amount otherwise.
  ///
  /// - Throws: `.invalid` naming `.price` or `.discount` where the resulting price breaks the rules.
  package func namingPriceToPay(changing current: Price) throws(RepositoryError) -> ProductPatch {
    let price = try priceNow(over: current)
    guard discount != nil || (priceHundredths != nil && current.isReduced) else { return self }
    var patch = self
    patch.discount = .priceToPay(price.toPay.hundredths)
    return patch
  }

  /// Returns the price after the patch, or throws `.invalid`.
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
  /// Returns `.conflict` where `present` has another version than expected (nil accepts any),
  /// `.invalid` for values that break the rules; nil where the patch may be applied.
  package func refusal(
    over present: ProductDetail, expecting expected: ProductVersion?
  ) -> RepositoryError? {
    if let expected, expected != present.version { return .conflict(current: present) }
    let problems = StorageRules.problems(of: self, over: present)
    return problems.isEmpty ? nil : .invalid(problems)
  }
}

extension ProductPatch.Pictures {
  /// Uploaded files to add, in order.
  package var newFiles: [[UInt8]] {
    guard case .list(let elements) = self else { return [] }
    return elements.compactMap { element in
      guard case .new(let file) = element else { return nil }
      return file
    }
  }

  /// Returns the keys of the product's pictures after this change, in order.
  ///
  /// `files` are the prepared new files, in order; `keep` stores one and returns its key.
  ///
  /// - Throws: what `keep` throws.
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
