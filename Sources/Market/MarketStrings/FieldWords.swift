package import MarketModel
package import SafeTextKit

/// Words of a field, in forms and wherever else a field is named; their phrases are called after it.
extension ProductField {
  /// The label.
  package var phrase: Phrase { .named("field" + rawValue.capitalized) }

  /// The name of the option that fills it, and what help says of that.
  package var optionName: String { self == .pictures ? "photo" : rawValue }
  package var optionPhrase: Phrase { .named("option" + optionName.capitalized) }

  /// The name of an answer of a choice, the empty one for what is left unsaid; nil where it is none.
  package func phrase(of answer: String) -> Phrase? {
    guard let names = kind.words, names.contains(answer) || answer.isEmpty else {
      return nil
    }
    let words = answer.isEmpty ? ["none"] : answer.split(separator: "-").map(String.init)
    return .named("choice" + ([rawValue] + words).map(\.capitalized).joined())
  }

  /// Answers of a choice in a few words; nil where they are none.
  package func text(of answers: Set<String>, _ strings: Strings) -> SafeText? {
    if self == .condition, answers == ProductCondition.used { return strings[.conditionUsed] }
    let texts = inOrder(answers).compactMap { phrase(of: $0) }.map { strings[$0] }
    return texts.isEmpty ? nil : texts.joined(separator: ", ")
  }

  /// What could stand in the field, shown while it is empty.
  package var example: Phrase? {
    switch self {
    case .name: .exampleName
    case .price: .examplePrice
    case .discount: .exampleDiscount
    case .stock: .exampleNumber
    case .place: .examplePlace
    case .description: .exampleDescription
    default: nil
    }
  }
}

extension String {
  fileprivate var capitalized: String { prefix(1).uppercased() + dropFirst() }
}
