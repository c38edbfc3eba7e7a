package import MarketModel
package import SafeTextKit

extension ProductField {
  /// Whether it has a place of its own wherever a product is shown.
  package var hasPlace: Bool { Self.placed.contains(self) }

  private static let placed: Set<ProductField> = [
    .pictures, .name, .price, .currency, .discount, .stock, .description, .password,
  ]
}

/// What is said of a product in the fields that have no place of their own, where it is only read.
package enum AdditionalFields {
  package static func text(of values: FieldValues, _ strings: Strings) -> [SafeText] {
    ProductField.allCases.compactMap { field in
      guard !field.hasPlace, let value = values[field], let text = text(value, of: field, strings)
      else { return nil }
      return strings[field.phrase] + " " + text
    }
  }

  private static func text(
    _ value: FieldValue, of field: ProductField, _ strings: Strings
  ) -> SafeText? {
    switch value {
    case .text(let text): SafeText(text)
    case .amount(let hundredths):
      SafeText(String(hundredths: hundredths, decimals: .twoOrNone, isGrouped: true))
    case .number(let number): SafeText(String(grouped: number))
    case .code(let code):
      field.phrase(of: code).map { strings[$0] }
        ?? MoneyText.code(Currency(rawValue: code))
    case .yes: strings[field.phrase]
    case .pictures, .absent: nil
    }
  }
}
