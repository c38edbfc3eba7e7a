package import MarketModel

/// Words of one field of a product, in forms and wherever else a field is named.
package struct FieldWords: Sendable {
  package let label: Phrase
  /// What the answers of a choice are called; the empty one is that nothing is said.
  package let choices: [String: Phrase]
  /// What could stand in the field, shown while it is empty.
  package let example: Phrase?

  private init(
    _ label: Phrase, choices: [String: Phrase] = [:], example: Phrase? = nil
  ) {
    self.label = label
    self.choices = choices
    self.example = example
  }

  package static subscript(field: ProductField) -> FieldWords {
    switch field {
    case .pictures: FieldWords(.fieldPhotos)
    case .name: FieldWords(.fieldName, example: .exampleName)
    case .price: FieldWords(.fieldPrice, example: .examplePrice)
    case .currency: FieldWords(.fieldCurrency)
    case .discount: FieldWords(.fieldDiscount, example: .exampleNumber)
    case .stock: FieldWords(.fieldStock, example: .exampleNumber)
    case .description: FieldWords(.fieldDescription, example: .exampleDescription)
    case .password: FieldWords(.fieldPassword)
    }
  }
}

extension ProductField {
  /// The label of a field.
  package var phrase: Phrase { FieldWords[self].label }
}

extension Phrase {
  static var exampleName: Phrase { .named() }
  static var examplePrice: Phrase { .named() }
  static var exampleNumber: Phrase { .named() }
  static var exampleDescription: Phrase { .named() }
}
