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
  /// An optional field of which nothing is said.
  case absent

  /// The value as texts, none for what is not said.
  package var texts: [String] {
    switch self {
    case .text(let text), .code(let text): [text]
    case .amount(let number), .number(let number): [String(number)]
    case .pictures(let places): places
    case .absent: []
    }
  }
}

/// Values of fields; those that are not named are not among them.
package typealias FieldValues = [ProductField: FieldValue]

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
  case pictures
  case password

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
    case (.pictures, .pictures(let places)):
      places.count > StorageRules.pictureCount.upperBound
        ? .tooLong(maximum: StorageRules.pictureCount.upperBound) : nil
    case (.amount, .amount), (.password, _): nil
    case (.line, _), (.text, _), (.amount, _), (.number, _), (.currency, _), (.choice, _),
      (.pictures, _):
      .unreadable
    }
  }
}

/// How one type carries a field.
package struct FieldLens<Carrier>: Sendable {
  /// Nil where the carrier does not name the field, or nobody can read it.
  let value: @Sendable (Carrier) -> FieldValue?
  /// Takes the field over from values; those that do not name it change nothing.
  let take: @Sendable (inout Carrier, FieldValues) -> Void

  init(
    value: @escaping @Sendable (Carrier) -> FieldValue?,
    take: @escaping @Sendable (inout Carrier, FieldValues) -> Void = { _, _ in }
  ) {
    self.value = value
    self.take = take
  }

  /// For a carrier that has no such field.
  static var none: FieldLens { FieldLens { _ in nil } }
}

extension FieldLens {
  /// A field that is a property.
  init<Value: Sendable>(
    _ field: ProductField, _ path: any WritableKeyPath<Carrier, Value> & Sendable,
    _ coding: FieldCoding<Value>
  ) {
    self.init(
      value: { coding.value($0[keyPath: path]) },
      take: { carrier, values in
        guard let value = values[field].flatMap(coding.read) else { return }
        carrier[keyPath: path] = value
      })
  }

  /// A field that is a property, and not named where that is nil.
  init<Value: Sendable>(
    _ field: ProductField, optional path: any WritableKeyPath<Carrier, Value?> & Sendable,
    _ coding: FieldCoding<Value>
  ) {
    self.init(
      value: { $0[keyPath: path].map(coding.value) },
      take: { carrier, values in
        guard let value = values[field].flatMap(coding.read) else { return }
        carrier[keyPath: path] = value
      })
  }
}

/// How a property of some type is the value of a field.
struct FieldCoding<Value: Sendable>: Sendable {
  let value: @Sendable (Value) -> FieldValue
  /// Nil for a value of another kind.
  let read: @Sendable (FieldValue) -> Value?

  init(
    _ value: @escaping @Sendable (Value) -> FieldValue,
    read: @escaping @Sendable (FieldValue) -> Value?
  ) {
    self.value = value
    self.read = read
  }

  /// A property that is nil where nothing is said.
  static func optional<Said: Sendable>(
    _ coding: FieldCoding<Said>
  ) -> FieldCoding where Value == Said? {
    FieldCoding(
      { $0.map(coding.value) ?? .absent },
      read: { value in value == .absent ? .some(nil) : coding.read(value).map(Optional.some) })
  }
}

extension FieldCoding<String> {
  static var text: FieldCoding {
    FieldCoding(FieldValue.text, read: { if case .text(let text) = $0 { text } else { nil } })
  }
}

extension FieldCoding<Int64> {
  static var amount: FieldCoding {
    FieldCoding(FieldValue.amount, read: { if case .amount(let sum) = $0 { sum } else { nil } })
  }

  static var number: FieldCoding {
    FieldCoding(
      FieldValue.number, read: { if case .number(let number) = $0 { number } else { nil } })
  }
}

extension FieldCoding where Value: RawRepresentable<String> {
  static var code: FieldCoding {
    FieldCoding(
      { .code($0.rawValue) },
      read: { if case .code(let code) = $0 { Value(rawValue: code) } else { nil } })
  }
}

extension FieldCoding<[String]> {
  static var pictures: FieldCoding {
    FieldCoding(
      FieldValue.pictures, read: { if case .pictures(let places) = $0 { places } else { nil } })
  }
}
