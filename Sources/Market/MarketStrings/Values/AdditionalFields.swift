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
  /// The facts in the order of the form: words say themselves, numbers have their label.
  ///
  /// A flag is none of them: it is a mark beside the price.
  package static func text(of values: FieldValues, _ strings: Strings) -> [SafeText] {
    ProductField.allCases.compactMap { field in
      guard !field.hasPlace, let value = values[field] else { return nil }
      return text(value, of: field, strings)
    }
  }

  /// The facts that a list tells, with its stock where that is more than one.
  package static func facts(of product: Product, _ strings: Strings) -> [SafeText] {
    [StockText.fact(product, strings)].compactMap(\.self)
      + text(of: ProductDetail(product: product).fieldValues, strings)
  }

  /// Condition and place in so many columns: of the place the last part alone, or no place, where they do
  /// not fit; empty where the condition does not either.
  package static func short(of product: Product, columns: Int, _ strings: Strings) -> SafeText {
    let condition = product.condition.flatMap { ProductField.condition.phrase(of: $0.rawValue) }
      .map { strings[$0] }
    let places = product.place.map { [SafeText($0)] + lastPart(of: $0) } ?? []
    let choices = places.map { [condition, $0] } + [[condition]]
    return choices.lazy.map { $0.compactMap(\.self).joined(separator: " · ") }
      .first { $0.columns <= columns } ?? .empty
  }

  /// What stands behind the last comma of a place, or behind the last blank of a Korean one, where
  /// that says where it is: `Mapo` of `Seoul, Mapo`, but not `York`.
  private static func lastPart(of place: String) -> [SafeText] {
    let parts = place.split(separator: ",")
    let words = (parts.last ?? "").split(separator: " ")
    guard parts.count == 1 else { return [SafeText(words.joined(separator: " "))] }
    let isKorean = words.last?.unicodeScalars.last.map { ("가"..."힣").contains($0) } ?? false
    return isKorean ? words.suffix(1).map { SafeText(String($0)) } : []
  }

  private static func text(
    _ value: FieldValue, of field: ProductField, _ strings: Strings
  ) -> SafeText? {
    switch value {
    case .text(let text): SafeText(text)
    case .amount(let hundredths):
      strings[field.phrase] + " "
        + SafeText(String(hundredths: hundredths, decimals: .twoOrNone, isGrouped: true))
    case .number(let number): strings[field.phrase] + " " + SafeText(String(grouped: number))
    case .code(let code): field.phrase(of: code).map { strings[$0] } ?? SafeText(code)
    case .yes, .pictures, .absent: nil
    }
  }
}
