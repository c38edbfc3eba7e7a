package import MarketModel

/// What is to stand in the fields of a form, as somebody wrote it; fields that are not named stay.
package nonisolated struct ProductEntries: Hashable, Sendable {
  /// Amounts are digits with at most one decimal point.
  package var texts: [ProductField: String] = [:]
  /// Paths of files, which replace all photos; none keeps those that there are.
  package var photos: [String] = []

  package init() {}

  /// The fields that a new product needs and that are not named, in the order of the form.
  package var missingFields: [ProductField] {
    ProductField.allCases.filter { field in
      switch field {
      case .pictures: photos.isEmpty
      case .name, .price, .description: texts[field] == nil
      // They have a value of their own, need none, or are asked for apart.
      case .currency, .discount, .stock, .password: false
      }
    }
  }
}
