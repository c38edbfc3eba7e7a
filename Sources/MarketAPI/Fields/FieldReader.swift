import MarketModel

/// Reads the fields of a product and gathers everything that is wrong with them.
struct FieldReader {
  let fields: RequestFields
  private let names: FieldNames
  private var errors: [FieldError] = []

  init(_ fields: RequestFields, names: FieldNames) {
    self.fields = fields
    self.names = names
  }

  /// A text; nil where it is absent.
  mutating func text(_ field: ProductField) -> String? {
    switch fields.value(named: names.names(of: field)) {
    case .absent: return nil
    case .text(let text): return text
    case .wrongType:
      report(field, .unreadable)
      return nil
    }
  }

  /// An amount in hundredths; nil where it is absent or an empty text.
  mutating func amount(_ field: ProductField) -> Int64? {
    number(field) { $0.hundredths }
  }

  /// A whole number; nil where it is absent or an empty text.
  mutating func integer(_ field: ProductField) -> Int64? {
    number(field) { $0.integer }
  }

  /// A currency's code in capitals; nil where it is absent or an empty text.
  mutating func currency() -> Currency? {
    guard let text = text(.currency)?.trimmed, !text.isEmpty else { return nil }
    guard TextLimit.currency.allows(text) else {
      report(.currency, .unsupportedCurrency)
      return nil
    }
    return Currency(rawValue: text.uppercased())
  }

  mutating func password() -> Password {
    let text = required(text(.password), .password)
    return Password(text ?? "")
  }

  /// All picture files.
  mutating func pictures() -> [[UInt8]] {
    if fields.files.contains(nil) { report(.pictures, .unreadable) }
    return fields.files.compactMap { $0 }
  }

  /// All picture files, of which there must be one at least.
  mutating func requiredPictures() -> [[UInt8]] {
    let pictures = pictures()
    if pictures.isEmpty { report(.pictures, .missing) }
    return pictures
  }

  /// Reports a field that is absent and must not be.
  mutating func required<Value>(_ value: Value?, _ field: ProductField) -> Value? {
    if value == nil { report(field, .missing) }
    return value
  }

  /// Adds a problem, unless the field has one already.
  mutating func report(_ field: ProductField, _ problem: FieldError.Problem) {
    guard !errors.contains(where: { $0.field == field }) else { return }
    errors.append(FieldError(field, problem))
  }

  /// - Throws: `.invalid` with what was reported, in the order in which it was read.
  func finish() throws(RequestProblem) {
    guard errors.isEmpty else { throw .invalid(errors) }
  }

  private mutating func number(
    _ field: ProductField, _ convert: (DecimalNumber) -> Int64?
  ) -> Int64? {
    guard let text = text(field)?.trimmed, !text.isEmpty else { return nil }
    guard let number = DecimalNumber(text).flatMap(convert) else {
      report(field, .unreadable)
      return nil
    }
    return number
  }
}
