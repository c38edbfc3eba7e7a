internal import EditorKit
internal import MarketModel

/// Check of what stands in one field of a form, by the rules of the form.
struct FieldCheck {
  private let field: ProductField
  private let rules: FormRules
  /// The amount that this one must not exceed, in hundredths; nil where there is none.
  private let most: Int64?

  init(_ field: ProductField, most: Int64?) {
    self.field = field
    self.most = most
    rules = FormRules[field]
  }

  /// What is wrong with what stands there, empty fields that may be empty among it.
  func problem(in editor: FieldEditor) -> FieldError.Problem? {
    switch editor {
    case .photos(let list): list.photos.isEmpty ? .missing : nil
    case .line(let editor): problem(ofLength: editor.text.trimmed.count)
    case .area(let editor): problem(ofLength: editor.text.trimmed.count)
    case .secret(let editor): problem(ofLength: editor.characterCount)
    case .choice: nil
    case .number(let editor): problem(ofNumber: editor.text)
    }
  }

  private func problem(ofLength count: Int) -> FieldError.Problem? {
    if count == 0 { return .missing }
    if count < rules.length.lowerBound { return .tooShort(minimum: rules.length.lowerBound) }
    if count > rules.length.upperBound { return .tooLong(maximum: rules.length.upperBound) }
    return nil
  }

  private func problem(ofNumber text: String) -> FieldError.Problem? {
    if text.isEmpty { return .missing }
    switch FormValues.value(of: text, in: field) {
    case .amount(let amount):
      guard let most, amount > most else { return nil }
      return .abovePrice(priceHundredths: most)
    case .number(let number):
      return number > rules.maximum ? .tooLong(maximum: Int(rules.maximum)) : nil
    case .text, .code, .pictures, .unsaid, .none: return .unreadable
    }
  }
}
