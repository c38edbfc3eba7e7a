package import MarketModel

/// What the form asks of a field beyond what its description says; a store accepts more, so that
/// older clients go on working.
package nonisolated struct FormRules: Sendable {
  /// Characters of a text or a password, as a person sees them.
  package let length: ClosedRange<Int>
  /// The highest number, or amount in hundredths.
  let maximum: Int64
  /// What stands in the field of a new product.
  let initial: String
  /// The amount that this one must not exceed: it decides over this field as much as the field does.
  let ceiling: ProductField?

  package static let photoCount = 1...5

  init(
    length: ClosedRange<Int> = 0...Int.max, maximum: Int64 = .max, initial: String = "",
    ceiling: ProductField? = nil
  ) {
    self.length = length
    self.maximum = maximum
    self.initial = initial
    self.ceiling = ceiling
  }

  package static subscript(field: ProductField) -> FormRules {
    switch field {
    case .name: FormRules(length: 3...100)
    case .currency: FormRules(initial: Currency.krw.rawValue)
    case .price: FormRules(maximum: 999_999_999_999_999_99)
    case .discount: FormRules(ceiling: .price)
    case .stock: FormRules(maximum: 999_999_999, initial: "1")
    case .description: FormRules(length: 10...1_000)
    case .password: FormRules(length: 4...Int.max)
    default: FormRules(length: field.limit?.characters ?? 0...Int.max)
    }
  }

  /// The fields that cannot exceed this one.
  static func fields(under ceiling: ProductField) -> [ProductField] {
    ProductField.allCases.filter { Self[$0].ceiling == ceiling }
  }
}
