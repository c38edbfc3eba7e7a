package import MarketModel
import MarketStrings
internal import MarketViewModels
package import SafeTextKit

/// Texts of a product's field values.
package enum FieldText {
  /// Returns the fields without a fixed position that have a value, with their texts.
  package static func further(
    _ values: FieldValues, _ strings: Strings
  ) -> [(field: ProductField, text: SafeText)] {
    ProductField.allCases.compactMap { field in
      guard !field.hasPlace, let text = values[field]?.texts.first else { return nil }
      return (field, self.text(text, of: field, strings))
    }
  }

  /// Returns the text of a form's field; amounts and numbers are grouped.
  static func text(of field: ProductField, in values: FormValues, _ strings: Strings) -> SafeText {
    let isLeftOut = values[field].isEmpty && field.isOptional
    return switch field.kind {
    case .amount where isLeftOut: "0"
    case .amount, .number: SafeText(values.grouped(field) ?? values[field])
    case .line, .text, .currency, .choice, .flag, .pictures, .password:
      text(values[field], of: field, strings)
    }
  }

  /// Returns the text of a field's value.
  private static func text(
    _ text: String, of field: ProductField, _ strings: Strings
  ) -> SafeText {
    switch field.kind {
    case .line, .text, .amount, .number: SafeText(text)
    case .currency, .choice, .flag: choice(text, of: field, strings)
    case .pictures, .password: .empty
    }
  }

  /// Returns the price with its currency's sign; a dash without one.
  static func price(of values: FormValues) -> SafeText {
    amount(of: .price, in: values) ?? "–"
  }

  /// Returns an amount with its currency's sign; nil where it cannot be read.
  static func amount(of field: ProductField, in values: FormValues) -> SafeText? {
    guard !values[field].isEmpty, case .amount(let hundredths) = values.value(of: field) else {
      return nil
    }
    let currency = Currency(rawValue: values[.currency])
    return MoneyText.text(Money(hundredths: hundredths, currency: currency))
  }

  /// Returns price, discount with percentage, stock, category, condition and place, as far as they are
  /// filled in.
  static func sale(
    of values: FormValues, _ strings: Strings
  ) -> [(field: ProductField, value: SafeText)] {
    let fields: [ProductField] = [.price, .discount, .stock, .category, .condition, .place]
    return fields.filter { !values[$0].isEmpty }.compactMap { field in
      let value = amount(of: field, in: values) ?? text(of: field, in: values, strings)
      guard field == .discount else { return (field, value) }
      return discount(in: values, strings).map { (field, $0) }
    }
  }

  /// Returns the discount with its percentage and the price to pay; nil where it cannot be read.
  static func discount(in values: FormValues, _ strings: Strings) -> SafeText? {
    guard let price = values.price, price.isReduced,
      let amount = amount(of: .discount, in: values)
    else { return nil }
    return strings(
      .formDiscount, amount, SafeText(price.discountPercent), MoneyText.text(price.toPay))
  }

  /// Returns the code of a currency, or the name of a choice.
  static func choice(_ choice: String, of field: ProductField, _ strings: Strings) -> SafeText {
    if let phrase = field.phrase(of: choice) { return strings[phrase] }
    return MoneyText.code(Currency(rawValue: choice))
  }
}
