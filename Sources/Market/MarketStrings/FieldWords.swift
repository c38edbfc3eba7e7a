package import MarketModel

/// Words of one field of a product, in forms and wherever else a field is named.
package struct FieldWords: Sendable {
  package let label: Phrase
  /// What the answers of a choice are called; the empty one is that nothing is said.
  package let choices: [String: Phrase]

  private init(_ label: Phrase, choices: [String: Phrase] = [:]) {
    self.label = label
    self.choices = choices
  }

  package static subscript(field: ProductField) -> FieldWords {
    switch field {
    case .pictures: FieldWords(.fieldPhotos)
    case .name: FieldWords(.fieldName)
    case .price: FieldWords(.fieldPrice)
    case .currency: FieldWords(.fieldCurrency)
    case .discount: FieldWords(.fieldDiscount)
    case .stock: FieldWords(.fieldStock)
    case .description: FieldWords(.fieldDescription)
    case .password: FieldWords(.fieldPassword)
    }
  }
}

extension ProductField {
  /// The label of a field.
  package var phrase: Phrase { FieldWords[self].label }
}
