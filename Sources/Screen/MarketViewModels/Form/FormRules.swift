package import MarketModel

/// Rules of the form for a field, stricter than its description; a store accepts more, as foreign
/// clients need it.
package nonisolated struct FormRules: Sendable {
  /// Characters (grapheme clusters) of a text or password.
  package let length: ClosedRange<Int>
  /// Maximum number, or maximum amount in hundredths.
  let maximum: Int64
  /// Initial content in the form of a new product.
  let initial: String
  /// Field whose amount this one must not exceed; nil for none.
  ///
  /// The check depends on both.
  let ceiling: ProductField?

  /// Number of photos of a product; a form accepts no further ones.
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

  /// Fields whose amount must not exceed this one.
  static func fields(under ceiling: ProductField) -> [ProductField] {
    ProductField.allCases.filter { Self[$0].ceiling == ceiling }
  }
}
