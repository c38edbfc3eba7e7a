/// Value of one field of a product, in a form that all fields share.
package enum FieldValue: Hashable, Sendable {
  case text(String)
  /// Hundredths of the product's currency.
  case amount(Int64)
  case number(Int64)
  /// The code of a currency, or the name of a choice.
  case code(String)
  /// Where pictures are, or what their files are called, in order.
  case pictures([String])
  /// What a flag says; where it does not, it is absent.
  case yes
  /// An optional field of which nothing is said.
  case absent

  /// The name of what was chosen; absent where nothing is.
  package init<Choice: RawRepresentable<String>>(_ choice: Choice?) {
    self = choice.map { .code($0.rawValue) } ?? .absent
  }

  /// A line; absent where nothing is said.
  package init(line: String?) { self = line.map { .text($0) } ?? .absent }

  /// A flag.
  package init(flag: Bool) { self = flag ? .yes : .absent }

  /// The value as texts, none for what is not said.
  package var texts: [String] {
    switch self {
    case .text(let text), .code(let text): [text]
    case .amount(let number), .number(let number): [String(number)]
    case .pictures(let places): places
    case .yes: ["yes"]
    case .absent: []
    }
  }
}

/// What a value holds; nil for a value of another kind.
extension FieldValue {
  package var text: String? { if case .text(let text) = self { text } else { nil } }
  package var amount: Int64? { if case .amount(let hundredths) = self { hundredths } else { nil } }
  package var number: Int64? { if case .number(let number) = self { number } else { nil } }
  package var code: String? { if case .code(let code) = self { code } else { nil } }
  package var pictures: [String]? { if case .pictures(let places) = self { places } else { nil } }
}

/// Values of fields; those that are not named are not among them.
package typealias FieldValues = [ProductField: FieldValue]

extension FieldValues {
  /// What was chosen in a field: a nil within where that is nothing, nil where the field is not named.
  package func choice<Choice: RawRepresentable<String>>(_ field: ProductField) -> Choice?? {
    switch self[field] {
    case .code(let name): Choice(rawValue: name).map { .some($0) }
    case .absent: .some(nil)
    default: nil
    }
  }

  /// What a line says that may be left unsaid: a nil within where that is nothing, nil where the field
  /// is not named.
  package func line(_ field: ProductField) -> String?? {
    switch self[field] {
    case .text(let text): .some(text.allSatisfy(\.isWhitespace) ? nil : text)
    case .absent: .some(nil)
    default: nil
    }
  }

  /// What a flag says; nil where the field is not named.
  package func flag(_ field: ProductField) -> Bool? {
    switch self[field] {
    case .yes: true
    case .absent: false
    default: nil
    }
  }

  /// The price that its three fields make; nil where they make none.
  package var price: Price? {
    guard let full = self[.price]?.amount else { return nil }
    let currency = self[.currency]?.code.map(Currency.init) ?? .krw
    return Price(
      full: Money(hundredths: full, currency: currency),
      discountHundredths: self[.discount]?.amount ?? 0)
  }
}

/// Kind of a field: which values it takes, and with that how it is edited, written and kept.
package enum FieldKind: Hashable, Sendable {
  /// A text of one line.
  case line(TextLimit)
  /// A text of many lines.
  case text(TextLimit)
  case amount
  case number(ClosedRange<Int64>)
  case currency
  /// One of a few words.
  case choice([String])
  /// Yes, or nothing.
  case flag
  case pictures
  case password

  /// The words of which one is chosen; nil for another kind.
  package var words: [String]? {
    switch self {
    case .choice(let names): names
    case .flag: FieldValue.yes.texts
    case .line, .text, .amount, .number, .currency, .pictures, .password: nil
    }
  }

  /// What is wrong with a value alone; nil where nothing is.
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
    case (.pictures, .pictures(let places)):
      places.count > StorageRules.pictureCount.upperBound
        ? .tooLong(maximum: StorageRules.pictureCount.upperBound) : nil
    case (.amount, .amount), (.password, _): nil
    case (.line, _), (.text, _), (.amount, _), (.number, _), (.currency, _), (.choice, _),
      (.flag, _), (.pictures, _):
      .unreadable
    }
  }
}

/// Something that carries the fields of a product.
package protocol FieldCarrier {
  /// The value of a field; nil for one that is not named or cannot be read.
  subscript(field: ProductField) -> FieldValue? { get }

  /// Takes a field over from values; those that do not name it change nothing.
  mutating func take(_ field: ProductField, from values: FieldValues)
}

extension FieldCarrier {
  /// The values of all fields that it names; pictures that are files, and the password, are none.
  package var fieldValues: FieldValues {
    var values: FieldValues = [:]
    for field in ProductField.allCases { values[field] = self[field] }
    return values
  }

  /// Takes over the fields that are named.
  package mutating func take(_ values: FieldValues) {
    for field in ProductField.allCases { take(field, from: values) }
  }
}
