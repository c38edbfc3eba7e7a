package import MarketModel
import MarketStrings
internal import MarketViewModels
package import SafeTextKit

/// What stands in a field of a product, as people read it.
package enum FieldText {
  /// What is said of a product in the fields that have no place of their own, as far as anything is.
  package static func further(
    _ values: FieldValues, _ strings: Strings
  ) -> [(field: ProductField, text: SafeText)] {
    ProductField.allCases.compactMap { field in
      guard !field.hasPlace, let text = values[field]?.texts.first else { return nil }
      return (field, self.text(text, of: field, strings))
    }
  }

  /// What stands in a field of a form; amounts and numbers as they are read.
  static func text(of field: ProductField, in values: FormValues, _ strings: Strings) -> SafeText {
    let isLeftOut = values[field].isEmpty && field.isOptional
    return switch field.kind {
    case .amount where isLeftOut: "0"
    case .amount, .number: SafeText(values.grouped(field) ?? values[field])
    case .line, .text, .currency, .choice, .flag, .pictures, .password:
      text(values[field], of: field, strings)
    }
  }

  /// A text that is the value of a field.
  private static func text(
    _ text: String, of field: ProductField, _ strings: Strings
  ) -> SafeText {
    switch field.kind {
    case .line, .text, .amount, .number: SafeText(text)
    case .currency, .choice, .flag: choice(text, of: field, strings)
    case .pictures, .password: .empty
    }
  }

  /// What stands as the price, with its currency's sign; a dash where nothing does.
  static func price(of values: FormValues) -> SafeText {
    amount(of: .price, in: values) ?? "–"
  }

  /// An amount of a form with its currency's sign; nil where none can be read.
  static func amount(of field: ProductField, in values: FormValues) -> SafeText? {
    guard !values[field].isEmpty, case .amount(let hundredths) = values.value(of: field) else {
      return nil
    }
    let currency = Currency(rawValue: values[.currency])
    return MoneyText.text(Money(hundredths: hundredths, currency: currency))
  }

  /// What is sold at which price: price, discount with its percentage, and stock, as far as they are
  /// filled in.
  static func sale(
    of values: FormValues, _ strings: Strings
  ) -> [(field: ProductField, value: SafeText)] {
    let fields: [ProductField] = [.price, .discount, .stock]
    return fields.filter { !values[$0].isEmpty }.compactMap { field in
      let value = amount(of: field, in: values) ?? text(of: field, in: values, strings)
      guard field == .discount else { return (field, value) }
      return discount(in: values, strings).map { (field, $0) }
    }
  }

  /// The discount of a form with its percentage, and what is to be paid; nil where none can be read.
  static func discount(in values: FormValues, _ strings: Strings) -> SafeText? {
    guard let price = values.price, price.isReduced,
      let amount = amount(of: .discount, in: values)
    else { return nil }
    return strings(
      .formDiscount, amount, SafeText(price.discountPercent), MoneyText.text(price.toPay))
  }

  /// The code of a currency, or the name of a choice.
  static func choice(_ choice: String, of field: ProductField, _ strings: Strings) -> SafeText {
    if let phrase = field.phrase(of: choice) { return strings[phrase] }
    return MoneyText.code(Currency(rawValue: choice))
  }
}
