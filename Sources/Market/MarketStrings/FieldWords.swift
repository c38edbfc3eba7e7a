package import MarketModel
package import SafeTextKit

/// Phrases of a field, in forms and elsewhere; their names contain the field's.
extension ProductField {
  /// Label of the field.
  package var phrase: Phrase { .named("field" + rawValue.camelCased) }

  /// Name of the command-line option for the field, and its phrase in the help.
  package var optionName: String {
    self == .pictures ? "photo" : String(rawValue.map { $0 == "_" ? "-" : $0 })
  }
  package var optionPhrase: Phrase { .named("option" + optionName.camelCased) }

  /// Returns the phrase of a choice, an empty one for no choice; nil for an invalid one.
  package func phrase(of answer: String) -> Phrase? {
    guard let names = kind.words, names.contains(answer) || answer.isEmpty else {
      return nil
    }
    return .named("choice" + rawValue.camelCased + (answer.isEmpty ? "none" : answer).camelCased)
  }

  /// Returns choices as a list; nil for none.
  package func text(of answers: Set<String>, _ strings: Strings) -> SafeText? {
    if self == .condition, answers == ProductCondition.used { return strings[.conditionUsed] }
    let texts = inOrder(answers).compactMap { phrase(of: $0) }.map { strings[$0] }
    return texts.isEmpty ? nil : texts.joined(separator: ", ")
  }

  /// Placeholder of an empty field; nil for none.
  package var example: Phrase? {
    switch self {
    case .name: .exampleName
    case .price: .examplePrice
    case .discount: .exampleDiscount
    case .stock: .exampleNumber
    case .place: .examplePlace
    case .description: .exampleDescription
    case .sellerContact: .exampleSellerContact
    default: nil
    }
  }
}

extension String {
  /// Joins words separated by hyphens or underscores, as in phrase names.
  fileprivate var camelCased: String {
    split { "-_".contains($0) }.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
  }
}
