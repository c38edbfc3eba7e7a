package import EditorKit
package import MarketModel

/// Editor of one field of a form: what stands in it, and how it is changed.
package enum FieldEditor {
  /// A text of one line.
  case line(LineEditor)
  /// A text of many lines.
  case area(TextEditor)
  case number(NumberEditor)
  /// The code or name that is chosen; empty for none.
  case choice(String)
  case photos(PhotoList)
  case secret(SecretEditor)

  private static let wholeDigits = 15

  /// The editor that a field's kind asks for, with a text in it.
  init(of field: ProductField, _ text: String, in currency: Currency) {
    let longest = FormRules[field].length.upperBound
    self =
      switch FieldDescription[field].kind {
      case .line: .line(LineEditor(text, limit: longest))
      case .text: .area(TextEditor(text, limit: longest))
      case .amount:
        .number(
          NumberEditor(
            text, wholeDigits: Self.wholeDigits,
            decimals: MoneyDigits.decimals(currency, showing: text)))
      case .number: .number(NumberEditor(text, wholeDigits: Self.wholeDigits))
      case .currency, .choice: .choice(text)
      case .pictures: .photos(PhotoList())
      case .password: .secret(SecretEditor())
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
  init(_ secret: SecretEditor) {
    self = secret.withBytes { Password(bytes: $0) }
  }
}

/// Amounts of money as a number field holds them: digits and at most one decimal point.
package nonisolated enum MoneyDigits {
  /// With as many decimals as the currency usually has, more only where they are there.
  package static func text(_ money: Money) -> String {
    String(
      hundredths: money.hundredths, decimals: money.currency.usualDecimals > 0 ? .two : .twoOrNone)
  }

  /// Hundredths of what a field holds; nil where that is empty or too large.
  package static func hundredths(_ digits: String) -> Int64? {
    let parts = digits.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard let first = parts.first, !digits.isEmpty, digits != "." else { return nil }
    let cents = (parts.count > 1 ? String(parts[1]) : "").prefix(2)
    let padded = cents + String(repeating: "0", count: 2 - cents.count)
    return Int64(first + padded)
  }

  /// How many decimals a field offers for an amount that stands in it in this currency.
  package static func decimals(_ currency: Currency, showing digits: String) -> Int {
    digits.contains(".") ? 2 : currency.usualDecimals
  }
}
