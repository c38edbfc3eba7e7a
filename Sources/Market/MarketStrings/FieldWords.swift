package import MarketModel
package import SafeTextKit

/// Words of a field, in forms and wherever else a field is named; their phrases are called after it.
extension ProductField {
  /// The label.
  package var phrase: Phrase { .named("field" + rawValue.camelCased) }

  /// The name of the option that fills it, and what help says of that.
  package var optionName: String {
    self == .pictures ? "photo" : String(rawValue.map { $0 == "_" ? "-" : $0 })
  }
  package var optionPhrase: Phrase { .named("option" + optionName.camelCased) }

  /// The name of an answer of a choice, the empty one for what is left unsaid; nil where it is none.
  package func phrase(of answer: String) -> Phrase? {
    guard let names = kind.words, names.contains(answer) || answer.isEmpty else {
      return nil
    }
    return .named("choice" + rawValue.camelCased + (answer.isEmpty ? "none" : answer).camelCased)
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
  /// Words between hyphens or underscores as one, as names of phrases have them.
  fileprivate var camelCased: String {
    split { "-_".contains($0) }.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
  }
}
