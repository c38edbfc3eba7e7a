package import MarketModel
package import SafeTextKit

extension ProductField {
  /// Whether views place the field by themselves; the others are listed by `AdditionalFields`.
  package var hasPlace: Bool { Self.placed.contains(self) }

  private static let placed: Set<ProductField> = [
    .pictures, .name, .price, .currency, .discount, .stock, .description, .password,
  ]
}

/// Text of the fields without a place of their own, for read-only views.
package enum AdditionalFields {
  /// Returns the values in the order of the form, numbers with their label, without flags, which are
  /// shown beside the price.
  package static func text(of values: FieldValues, _ strings: Strings) -> [SafeText] {
    ProductField.allCases.compactMap { field in
      guard !field.hasPlace, let value = values[field] else { return nil }
      return text(value, of: field, strings)
    }
  }

  /// Returns the values that lists contain, with the stock where it exceeds one.
  package static func facts(of product: Product, _ strings: Strings) -> [SafeText] {
    [StockText.fact(product, strings)].compactMap(\.self)
      + text(of: ProductDetail(product: product).fieldValues, strings)
  }

  /// Minimum cells of a place that is cut; with less it is left out.
  package static let minPlaceColumns = 6

  /// Returns the words for a product's condition; nil without one.
  package static func condition(of product: Product, _ strings: Strings) -> SafeText? {
    product.condition.flatMap { ProductField.condition.phrase(of: $0.rawValue) }
      .map { strings[$0] }
  }

  /// Returns condition and place within `columns` cells; the place is cut at its end or left out where
  /// it does not fit, and the result empty where the condition does not either.
  package static func short(of product: Product, columns: Int, _ strings: Strings) -> SafeText {
    let condition = condition(of: product, strings) ?? .empty
    let start = condition.isEmpty ? condition : condition + " · "
    let place = product.place.map { SafeText($0) } ?? .empty
    let room = columns - start.columns
    guard !place.isEmpty, min(place.columns, minPlaceColumns) <= room else {
      return condition.columns <= columns ? condition : .empty
    }
    return start + place.truncated(toColumns: room)
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
