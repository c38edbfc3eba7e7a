internal import EditorKit
package import MarketModel
import MarketStrings
internal import MarketViewModels
package import SafeText

/// What stands in a field of a product, as people read it.
package enum FieldText {
  private static let columns = 72

  /// What is said of a product in the fields that have no place of their own, as far as anything is.
  package static func further(
    _ values: FieldValues, _ strings: Strings
  ) -> [(field: ProductField, text: SafeText)] {
    ProductField.allCases.compactMap { field in
      guard !field.hasPlace, let text = values[field]?.texts.first else { return nil }
      return (field, self.text(text, of: field, strings))
    }
  }

  /// A text as the field of a form holds it.
  static func text(_ text: String, of field: ProductField, _ strings: Strings) -> SafeText {
    let description = FieldDescription[field]
    return switch description.kind {
    case .line, .text: SafeText(text)
    case .amount: number(text.isEmpty && description.isOptional ? "0" : text)
    case .number: number(text)
    case .currency, .choice: choice(text, of: field, strings)
    case .pictures, .password: .empty
    }
  }

  /// What stands as the price, with its currency's sign; a dash where nothing does.
  static func price(of values: FormValues) -> SafeText {
    amount(of: .price, in: values) ?? "–"
  }

  /// An amount of a form with its currency's sign; nil where none can be read.
  static func amount(of field: ProductField, in values: FormValues) -> SafeText? {
    MoneyDigits.hundredths(values[field]).map { hundredths in
      let currency = Currency(rawValue: values[.currency])
      return MoneyText.text(Money(hundredths: hundredths, currency: currency))
    }
  }

  /// The code of a currency, or the name of a choice.
  static func choice(_ choice: String, of field: ProductField, _ strings: Strings) -> SafeText {
    if let phrase = FieldWords[field].choices[choice] { return strings[phrase] }
    return MoneyText.code(Currency(rawValue: choice))
  }

  /// Digits with separators, as their field shows them.
  private static func number(_ digits: String) -> SafeText {
    NumberEditor(digits).visible(columns: columns).text
  }
}
