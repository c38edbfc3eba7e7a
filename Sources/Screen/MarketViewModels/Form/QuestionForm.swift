internal import EditorKit
package import MarketModel

/// Questions and answers as forms: `description` is their text, `price` the offer, `place` the
/// author's name, and `name` that of the product.
extension ProductForm.Purpose {
  /// Product of a question or answer; nil for a form of a product.
  package var asked: ProductDetail? {
    switch self {
    case .question(let detail, _), .answer(_, let detail): detail
    case .registration, .edit: nil
    }
  }

  package var isEdit: Bool { if case .edit = self { true } else { false } }

  /// Fields of a question or answer; nil for a product.
  package var fields: [ProductField]? {
    switch self {
    case .question(let detail, let asksName):
      [.description] + (detail.product.pricing.price == nil ? [] : [.price])
        + (asksName ? [.place] : [])
    case .answer(_, let detail):
      [.description] + (detail.product.isReserved || detail.product.isSoldOut ? [] : [.reserved])
    case .registration, .edit: nil
    }
  }

  /// Initial values of a question or answer; nil for a product.
  var start: FormValues? {
    guard let product = asked?.product else { return nil }
    var values = FormValues()
    values[.name] = product.name
    values[.currency] = (product.pricing.price?.currency ?? .krw).rawValue
    if case .answer(let question, _) = self { values[.description] = question.answer?.text ?? "" }
    return values
  }

  /// Rules of a field in a form of this purpose.
  package func rules(of field: ProductField) -> FormRules {
    switch field {
    case .description where asked != nil: FormRules(length: QuestionRules.text.characters)
    case .place where asked != nil:
      FormRules(length: 0...TextLimit.sellerName.characters.upperBound)
    default: FormRules[field]
    }
  }
}

extension ProductForm {
  package var question: NewQuestion {
    var offer: Int64?
    if !values[.price].isEmpty, case .amount(let amount) = values.value(of: .price) {
      offer = amount
    }
    return NewQuestion(text: description.text, offerHundredths: offer)
  }

  var answer: NewAnswer {
    NewAnswer(text: description.text, reserves: values.value(of: .reserved) == .yes)
  }

  /// Switches the focused flag.
  package mutating func toggle() {
    if let other = choices.first(where: { $0 != self[focus].text }) { choose(other) }
  }
}
