package import EditorKit
package import MarketModel

/// Editor of one field of a form, by the kind of the field.
package enum FieldEditor {
  /// Text of one line.
  case line(LineEditor)
  /// Text of many lines.
  case area(TextEditor)
  /// Amount or number, as typed.
  case number(LineEditor)
  /// The chosen code or name; empty for none.
  case choice(String)
  case photos(PhotoList)
  case secret(PasswordEntry)

  /// Maximum characters of a number: longer than any valid one, so that a cut one is never valid.
  private static let maxNumberLength = 120

  /// Makes the editor for a field's kind with the value in `values`.
  init(of field: ProductField, in values: FormValues, _ rules: FormRules) {
    let text = values[field]
    let longest = rules.length.upperBound
    self =
      switch field.kind {
      case .line: .line(LineEditor(text, limit: longest))
      case .text: .area(TextEditor(text, limit: longest))
      case .amount, .number: .number(LineEditor(text, limit: Self.maxNumberLength))
      case .currency, .choice, .flag: .choice(text)
      case .pictures: .photos(PhotoList(values.photos))
      case .password: .secret(PasswordEntry())
      }
  }

  /// Text of the editor; nil for photos and a password.
  package var text: String? {
    switch self {
    case .line(let editor): editor.text
    case .area(let editor): editor.text
    case .number(let editor): editor.text
    case .choice(let code): code
    case .photos, .secret: nil
    }
  }

  /// Position of the caret, in characters; nil for an editor without a text.
  var caret: Int? {
    switch self {
    case .line(let editor): editor.buffer.caret
    case .area(let editor): editor.buffer.caret
    case .number(let editor): editor.buffer.caret
    case .choice, .photos, .secret: nil
    }
  }

  /// Changes the text; does nothing for an editor without one.
  mutating func apply(_ change: TextChange) {
    switch self {
    case .line(var editor):
      change.apply(to: &editor)
      self = .line(editor)
    case .area(var editor):
      change.apply(to: &editor)
      self = .area(editor)
    case .number(var editor):
      change.apply(to: &editor)
      self = .number(editor)
    case .choice, .photos, .secret: break
    }
  }
}

extension Password {
  init(_ secret: PasswordEditor) {
    self = secret.withBytes { Password(bytes: $0) }
  }
}

/// Digits of an amount in a form: `1690000`, `12.50`.
package nonisolated enum MoneyDigits {
  /// The digits, with the currency's usual decimals, or more if the amount has them.
  ///
  /// Not grouped by default, because an edit of groups might produce decimals.
  package static func text(_ money: Money, isGrouped: Bool = false) -> String {
    String(
      hundredths: money.hundredths,
      decimals: money.currency.usualDecimals > 0 ? .two : .twoOrNone, isGrouped: isGrouped)
  }
}
