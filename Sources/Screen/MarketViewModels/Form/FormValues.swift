package import MarketModel

/// Texts of a form's fields, compared to find changes and saved in drafts.
///
/// They do not include the password.
package nonisolated struct FormValues: Hashable, Sendable {
  /// Fields that are stored as text, in the order of the form.
  package static let fields = (ProductField.allCases + ProductField.ofSeller).filter { field in
    switch field.kind {
    case .line, .text, .amount, .number, .currency, .choice, .flag: true
    case .pictures, .password: false
    }
  }

  /// `fields` with the choices first, because the currency determines how amounts are read.
  static let choicesFirst: [ProductField] = {
    func isChoice(_ field: ProductField) -> Bool {
      switch field.kind {
      case .currency, .choice, .flag: true
      case .line, .text, .amount, .number, .pictures, .password: false
      }
    }
    return fields.filter(isChoice) + fields.filter { !isChoice($0) }
  }()

  /// As typed; empty for fields without input.
  private var texts: [ProductField: String] = [:]
  /// Photos in order, compared by id.
  package var photos: [FormPhoto] = []

  /// Initial values of a new product.
  package static let initial: FormValues = {
    var values = FormValues()
    for field in fields { values[field] = FormRules[field].initial }
    return values
  }()

  /// Empty fields; required choices have their default.
  package init() {
    for field in Self.fields { texts[field] = Self.usual(field) }
  }

  /// Values of a product; an unreadable price leaves its fields empty.
  init(_ detail: ProductDetail) {
    self.init()
    let currency = detail.product.pricing.price?.currency ?? .krw
    for field in Self.fields {
      guard let value = detail[field] else { continue }
      let isLeftOut = field.isOptional && value == field.standard
      texts[field] = isLeftOut ? "" : Self.text(of: value, in: currency)
    }
    photos = detail.pictures.map(FormPhoto.init(kept:))
  }

  /// Values of a draft; fields that it lacks are empty.
  package init(_ texts: [ProductField: String], photos: [FormPhoto]) {
    self.init()
    for field in Self.fields { self.texts[field] = texts[field] ?? Self.usual(field) }
    self.photos = photos
  }

  package subscript(field: ProductField) -> String {
    get { texts[field] ?? "" }
    set { if Self.fields.contains(field) { texts[field] = newValue } }
  }

  /// Values for a copy of this product, without its pictures on the market, its state of sale and its
  /// seller.
  package var forNewProduct: FormValues {
    var values = self
    for field in ProductField.ofSeller + ProductField.ofListed { values[field] = "" }
    values.photos.removeAll { if case .ready = $0.content { false } else { true } }
    return values
  }

  package var name: String { self[.name] }

  /// Fields whose values differ; different spellings of one amount do not.
  package func changedFields(from other: FormValues) -> Set<ProductField> {
    var changed = Set(
      Self.fields.filter { field in
        guard self[field] != other[field] else { return false }
        let value = value(of: field)
        return value == nil || value != other.value(of: field)
      })
    if photos.map(\.id) != other.photos.map(\.id) { changed.insert(.pictures) }
    return changed
  }

  /// Values of all fields; nil if a required one cannot be read.
  var fieldValues: FieldValues? {
    var values: FieldValues = [:]
    for field in Self.fields {
      guard let value = value(of: field) else { return nil }
      values[field] = value
    }
    return values
  }

  /// Values of the fields that can be read.
  package var readable: FieldValues {
    Self.fields.reduce(into: [:]) { $0[$1] = value(of: $1) }
  }

  /// Price of the form; nil if its fields cannot be read.
  package var price: Price? {
    guard case .amount(let hundredths) = value(of: .price) else { return nil }
    let discount = if case .amount(let amount) = value(of: .discount) { amount } else { Int64(0) }
    let full = Money(hundredths: hundredths, currency: Currency(rawValue: self[.currency]))
    return Price(full: full, discountHundredths: discount)
  }

  /// Stock of the form; nil if it cannot be read or is negative.
  package var stock: Int64? {
    if case .number(let stock) = value(of: .stock), stock >= 0 { stock } else { nil }
  }

  /// Value of a field; nil if it cannot be read.
  package func value(of field: ProductField) -> FieldValue? {
    if field.isOptional, self[field].isEmpty { return field.standard }
    return try? read(field)
  }

  /// Reads a field, an amount in the form's currency; nil for a field without a text, and for a
  /// percentage of a price that cannot be read.
  /// - Throws: what `Amount` and `Percent` throw for a text that is no amount or number.
  func read(_ field: ProductField) throws(AmountError) -> FieldValue? {
    let text = self[field]
    switch field.kind {
    case .line, .text: return .text(text.trimmed)
    case .amount:
      let currency = Currency(rawValue: self[.currency])
      if let ceiling = FormRules[field].ceiling, let percent = try Percent(reading: text) {
        guard case .amount(let whole) = value(of: ceiling) else { return nil }
        return .amount(percent.part(of: Money(hundredths: whole, currency: currency)))
      }
      return .amount(try Amount(reading: text).hundredths(in: currency))
    case .number: return .number(try Amount.count(reading: text))
    case .currency, .choice: return .code(text)
    case .flag: return FieldValue(flag: FieldValue.yes.texts == [text])
    case .pictures, .password: return nil
    }
  }

  /// Whether a field has a percentage of its ceiling.
  package func isPercent(_ field: ProductField) -> Bool {
    FormRules[field].ceiling != nil && (try? Percent(reading: self[field])) != nil
  }

  /// Digits of an amount or number with grouping; nil if it is empty or cannot be read.
  package func grouped(_ field: ProductField) -> String? {
    guard !self[field].isEmpty else { return nil }
    switch value(of: field) {
    case .amount(let hundredths):
      let money = Money(hundredths: hundredths, currency: Currency(rawValue: self[.currency]))
      return MoneyDigits.text(money, isGrouped: true)
    case .number(let number): return String(grouped: number)
    case .text, .code, .yes, .pictures, .absent, nil: return nil
    }
  }

  private static func usual(_ field: ProductField) -> String {
    if case .code(let code) = field.standard { code } else { "" }
  }

  private static func text(of value: FieldValue, in currency: Currency) -> String {
    if case .amount(let hundredths) = value {
      return MoneyDigits.text(Money(hundredths: hundredths, currency: currency))
    }
    return value.texts.first ?? ""
  }
}

/// Changed fields, with all values before and after.
package nonisolated struct FieldChanges: Hashable, Sendable {
  package let before: FormValues
  package let after: FormValues
  /// In the order of the form.
  package let fields: [ProductField]

  package init(from before: FormValues, to after: FormValues) {
    self.before = before
    self.after = after
    let changed = after.changedFields(from: before)
    fields = ProductField.allCases.filter(changed.contains)
  }
}

nonisolated extension String {
  /// The text without leading and trailing white space.
  var trimmed: String { String(Substring(self).trimmed) }
}
