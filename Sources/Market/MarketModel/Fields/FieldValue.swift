/// Value of one field of a product.
package enum FieldValue: Hashable, Sendable {
  case text(String)
  /// Hundredths of the product's currency.
  case amount(Int64)
  case number(Int64)
  /// Code of a currency, or raw value of a choice.
  case code(String)
  /// Locators or file names of pictures, in order.
  case pictures([String])
  /// A flag that is set; `absent` is one that is not.
  case yes
  /// No value; only for optional fields.
  case absent

  /// Raw value of a choice; absent for nil.
  package init<Choice: RawRepresentable<String>>(_ choice: Choice?) {
    self = choice.map { .code($0.rawValue) } ?? .absent
  }

  /// Text of one line; absent for nil.
  package init(line: String?) { self = line.map { .text($0) } ?? .absent }

  package init(flag: Bool) { self = flag ? .yes : .absent }

  /// The value as texts; empty for `absent`.
  package var texts: [String] {
    switch self {
    case .text(let text), .code(let text): [text]
    case .amount(let number), .number(let number): [String(number)]
    case .pictures(let locators): locators
    case .yes: ["yes"]
    case .absent: []
    }
  }
}

/// Content of the value; nil for another kind.
extension FieldValue {
  package var text: String? { if case .text(let text) = self { text } else { nil } }
  package var amount: Int64? { if case .amount(let hundredths) = self { hundredths } else { nil } }
  package var number: Int64? { if case .number(let number) = self { number } else { nil } }
  package var code: String? { if case .code(let code) = self { code } else { nil } }
  package var pictures: [String]? {
    if case .pictures(let locators) = self { locators } else { nil }
  }
}

/// Values by field; a missing key leaves a field unchanged.
package typealias FieldValues = [ProductField: FieldValue]

extension FieldValues {
  /// Returns a choice: the inner nil for `absent`, the outer nil where the field is missing.
  package func choice<Choice: RawRepresentable<String>>(_ field: ProductField) -> Choice?? {
    switch self[field] {
    case .code(let name): Choice(rawValue: name).map { .some($0) }
    case .absent: .some(nil)
    default: nil
    }
  }

  /// Returns an optional line: the inner nil for `absent` or a blank text, the outer nil where the
  /// field is missing.
  package func line(_ field: ProductField) -> String?? {
    switch self[field] {
    case .text(let text): .some(text.allSatisfy(\.isWhitespace) ? nil : text)
    case .absent: .some(nil)
    default: nil
    }
  }

  /// Returns a flag; nil where the field is missing.
  package func flag(_ field: ProductField) -> Bool? {
    switch self[field] {
    case .yes: true
    case .absent: false
    default: nil
    }
  }

  /// Price from the fields `price`, `currency` (KRW if missing) and `discount`; nil where `price` is
  /// missing or they break the rules.
  package var price: Price? {
    guard let full = self[.price]?.amount else { return nil }
    let currency = self[.currency]?.code.map(Currency.init) ?? .krw
    return Price(
      full: Money(hundredths: full, currency: currency),
      discountHundredths: self[.discount]?.amount ?? 0)
  }
}

/// Kind of a field: its valid values, and with them how it is edited, written and stored.
package enum FieldKind: Hashable, Sendable {
  /// Text of one line.
  case line(TextLimit)
  /// Text of several lines.
  case text(TextLimit)
  case amount
  case number(ClosedRange<Int64>)
  case currency
  /// One of these words.
  case choice([String])
  /// Set or not set.
  case flag
  case pictures
  case password

  /// Words to choose from; nil for other kinds.
  package var words: [String]? {
    switch self {
    case .choice(let names): names
    case .flag: FieldValue.yes.texts
    case .line, .text, .amount, .number, .currency, .pictures, .password: nil
    }
  }

  /// Returns what is wrong with a value by itself; nil for a valid one.
  package func problem(with value: FieldValue) -> FieldError.Problem? {
    switch (self, value) {
    case (_, .absent): nil
    case (.line(let limit), .text(let text)), (.text(let limit), .text(let text)):
      limit.problem(of: text)
    case (.number(let range), .number(let number)):
      if number < range.lowerBound {
        .negative
      } else {
        number > range.upperBound ? .tooLong(maximum: Int(range.upperBound)) : nil
      }
    case (.currency, .code(let code)):
      StorageRules.currencies.contains(Currency(rawValue: code))
        ? nil : .unsupportedCurrency(StorageRules.currencies)
    case (.choice(let names), .code(let code)): names.contains(code) ? nil : .unreadable
    case (.flag, .yes): nil
    case (.pictures, .pictures(let locators)):
      locators.count > StorageRules.pictureCount.upperBound
        ? .tooLong(maximum: StorageRules.pictureCount.upperBound) : nil
    case (.amount, .amount), (.password, _): nil
    case (.line, _), (.text, _), (.amount, _), (.number, _), (.currency, _), (.choice, _),
      (.flag, _), (.pictures, _):
      .unreadable
    }
  }
}

/// Type that has the fields of a product.
package protocol FieldCarrier {
  /// Value of a field; nil where it is missing or unreadable.
  subscript(field: ProductField) -> FieldValue? { get }

  /// Sets a field from values; does nothing where they lack it.
  mutating func set(_ field: ProductField, from values: FieldValues)
}

extension FieldCarrier {
  /// Values of all fields; without the password, and without pictures that are not stored yet.
  package var fieldValues: FieldValues {
    var values: FieldValues = [:]
    for field in ProductField.allCases { values[field] = self[field] }
    return values
  }

  /// Sets all fields that the values contain.
  package mutating func set(_ values: FieldValues) {
    for field in ProductField.allCases { set(field, from: values) }
  }
}
