package import MarketModel

/// Contents of a form's fields, as text: compared to find what was changed, and kept in drafts.
///
/// The password is not among it.
package nonisolated struct FormValues: Hashable, Sendable {
  /// The fields that are held as text, in the order of the form.
  package static let fields = ProductField.allCases.filter { field in
    switch field.kind {
    case .line, .text, .amount, .number, .currency, .choice, .flag: true
    case .pictures, .password: false
    }
  }

  /// The same with the choices first, for the currency decides how amounts are read.
  static let choicesFirst: [ProductField] = {
    func isChoice(_ field: ProductField) -> Bool {
      switch field.kind {
      case .currency, .choice, .flag: true
      case .line, .text, .amount, .number, .pictures, .password: false
      }
    }
    return fields.filter(isChoice) + fields.filter { !isChoice($0) }
  }()

  /// As they were typed; empty where nothing was entered.
  private var texts: [ProductField: String] = [:]
  /// The photos in order, compared by their identities.
  package var photos: [FormPhoto] = []

  /// What the fields of a new product hold at first.
  package static let initial: FormValues = {
    var values = FormValues()
    for field in fields { values[field] = FormRules[field].initial }
    return values
  }()

  /// Empty fields; a choice that has to be made has its usual answer.
  package init() {
    for field in Self.fields { texts[field] = Self.usual(field) }
  }

  /// The values of a product; a price that could not be read leaves its fields empty.
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

  /// What a draft kept; fields that it does not name are empty.
  package init(_ texts: [ProductField: String], photos: [FormPhoto]) {
    self.init()
    for field in Self.fields { self.texts[field] = texts[field] ?? Self.usual(field) }
    self.photos = photos
  }

  package subscript(field: ProductField) -> String {
    get { texts[field] ?? "" }
    set { if Self.fields.contains(field) { texts[field] = newValue } }
  }

  /// Values for a new product like this one: without pictures of the other one and without what
  /// became of it.
  package var forNewProduct: FormValues {
    var values = self
    for field in ProductField.ofListed { values[field] = "" }
    values.photos.removeAll { if case .ready = $0.content { false } else { true } }
    return values
  }

  /// What lists of drafts show.
  package var name: String { self[.name] }

  /// The fields in which these values differ from others; another spelling of an amount is none.
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

  /// What all fields mean; nil where one cannot be read that is needed.
  var fieldValues: FieldValues? {
    var values: FieldValues = [:]
    for field in Self.fields {
      guard let value = value(of: field) else { return nil }
      values[field] = value
    }
    return values
  }

  /// What those fields mean that can be read.
  package var readable: FieldValues {
    Self.fields.reduce(into: [:]) { $0[$1] = value(of: $1) }
  }

  /// The price that these values make; nil where they make none yet.
  package var price: Price? {
    guard case .amount(let hundredths) = value(of: .price) else { return nil }
    let discount = if case .amount(let amount) = value(of: .discount) { amount } else { Int64(0) }
    let full = Money(hundredths: hundredths, currency: Currency(rawValue: self[.currency]))
    return Price(full: full, discountHundredths: discount)
  }

  /// The pieces that there are to sell; nil where that cannot be read.
  package var stock: Int64? {
    if case .number(let stock) = value(of: .stock), stock >= 0 { stock } else { nil }
  }

  /// What a field means; nil where that cannot be read.
  package func value(of field: ProductField) -> FieldValue? {
    if field.isOptional, self[field].isEmpty { return field.standard }
    return try? read(field)
  }

  /// Reads a field, an amount in the currency that stands beside it; nil for one that holds no text,
  /// and for a part of a price that is not there.
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

  /// Whether a field says its amount as a part of the one that it must not exceed.
  package func isPercent(_ field: ProductField) -> Bool {
    FormRules[field].ceiling != nil && (try? Percent(reading: self[field])) != nil
  }

  /// The digits of an amount or a number in groups, as it is read; nil where it cannot be.
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

/// Fields that change, with all values before and after.
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
  /// The text without white space at its ends.
  var trimmed: String { String(Substring(self).trimmed) }
}
