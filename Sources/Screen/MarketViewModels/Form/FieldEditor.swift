package import EditorKit
package import MarketModel

/// Editor of one field of a form: what stands in it, and how it is changed.
package enum FieldEditor {
  /// A text of one line.
  case line(LineEditor)
  /// A text of many lines.
  case area(TextEditor)
  /// An amount or a number, as it was typed.
  case number(LineEditor)
  /// The code or name that is chosen; empty for none.
  case choice(String)
  case photos(PhotoList)
  case secret(PasswordEntry)

  /// More than any amount is long, so that one that was cut off is none.
  private static let maxNumberLength = 120

  /// The editor that a field's kind asks for, with what values say of it.
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

  /// The text that stands in it; nil for photos and a password.
  package var text: String? {
    switch self {
    case .line(let editor): editor.text
    case .area(let editor): editor.text
    case .number(let editor): editor.text
    case .choice(let code): code
    case .photos, .secret: nil
    }
  }

  /// The place of the caret, in characters; nil where there is none to be moved.
  var caret: Int? {
    switch self {
    case .line(let editor): editor.buffer.caret
    case .area(let editor): editor.buffer.caret
    case .number(let editor): editor.buffer.caret
    case .choice, .photos, .secret: nil
    }
  }

  /// Changes its text; what has none stays as it is.
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
  /// The password that stands in a field.
  init(_ secret: PasswordEditor) {
    self = secret.withBytes { Password(bytes: $0) }
  }
}

/// Digits of an amount of money as a form begins with them: `1690000`, `12.50`.
package nonisolated enum MoneyDigits {
  /// The digits, with the usual decimals of the currency; more only where they are there.
  ///
  /// Without groups, of which an edit might leave decimals.
  package static func text(_ money: Money, isGrouped: Bool = false) -> String {
    String(
      hundredths: money.hundredths,
      decimals: money.currency.usualDecimals > 0 ? .two : .twoOrNone, isGrouped: isGrouped)
  }
}
