internal import EditorKit
internal import MarketModel

extension ProductForm {
  /// Puts texts into their fields in the place of what is there, as if they had been typed.
  ///
  /// - Returns: the first field that does not take its text as it is; nil where all do.
  mutating func fill(_ texts: [ProductField: String]) -> FieldError? {
    // The currency decides how many decimals the amounts may have.
    if let code = texts[.currency] {
      let currency = Currency(rawValue: code.uppercased())
      guard capabilities.takes(currency) else { return FieldError(.currency, .unsupportedCurrency) }
      choose(currency)
    }
    for field in ProductField.allCases where field != .currency {
      guard let text = texts[field] else { continue }
      if text.isEmpty { return FieldError(field, .missing) }
      if !fill(field, with: text) { return FieldError(field, problem(ofTooMuchIn: field)) }
    }
    return nil
  }

  private mutating func fill(_ field: ProductField, with text: String) -> Bool {
    var isWhole = true
    focus(field)
    edit(
      TextChange { editor in
        editor.buffer.selectAll()
        isWhole = editor.paste(text)
      })
    return switch field {
    // A number field leaves out what is no digit, which nobody sees here.
    case .price: price.text == text
    case .discount: discount.text == text
    case .stock: stock.text == text
    case .pictures, .name, .currency, .description, .password: isWhole
    }
  }

  private func problem(ofTooMuchIn field: ProductField) -> FieldError.Problem {
    switch field {
    case .name: .tooLong(maximum: FormRules.nameLength.upperBound)
    case .description: .tooLong(maximum: FormRules.descriptionLength.upperBound)
    case .pictures, .price, .currency, .discount, .stock, .password: .unreadable
    }
  }
}

extension RepositoryCapabilities {
  fileprivate func takes(_ currency: Currency) -> Bool {
    switch currencies {
    case .only(let list): list.contains(currency)
    case .any: currency.rawValue.count == 3 && currency.rawValue.allSatisfy(\.isLetter)
    }
  }
}
