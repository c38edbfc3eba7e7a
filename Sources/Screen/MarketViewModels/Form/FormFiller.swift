internal import EditorKit
internal import MarketModel

/// Filler of a form with texts, as if they were typed.
struct FormFiller {
  private(set) var form: ProductForm

  init(_ form: ProductForm) {
    self.form = form
  }

  /// Replaces the content of fields by texts.
  ///
  /// - Returns: the first field that refuses its text; nil if all accept theirs.
  mutating func fill(_ texts: [ProductField: String]) -> FieldError? {
    for field in FormValues.choicesFirst {
      guard let text = texts[field] else { continue }
      if let problem = fill(field, with: text) { return FieldError(field, problem) }
    }
    return nil
  }

  private mutating func fill(_ field: ProductField, with text: String) -> FieldError.Problem? {
    guard !form.capabilities.lackingFields.contains(field) else {
      return text.isEmpty ? nil : .lacking
    }
    switch field.kind {
    case .currency:
      let currency = Currency(rawValue: text.uppercased())
      guard form.capabilities.takes(currency) else {
        return .unsupportedCurrency(form.capabilities.takenCurrencies)
      }
      form.choose(currency)
      return nil
    case .choice, .flag:
      guard form.choices(of: field).contains(text) else { return .unreadable }
      form.choose(text, for: field)
      return nil
    case .line, .text:
      if text.isEmpty, !field.isOptional { return .missing }
      return type(text, into: field) ? nil : .tooLong(maximum: FormRules[field].length.upperBound)
    case .amount, .number:
      if text.isEmpty { return .missing }
      guard type(text, into: field) else { return .amount(.noAmount) }
      do throws(AmountError) {
        _ = try form.values.read(field)
        return nil
      } catch .negative {
        return .negative
      } catch {
        return .amount(error)
      }
    case .pictures, .password: return .unreadable
    }
  }

  /// Types a text over the content of a field; false if it was cut.
  private mutating func type(_ text: String, into field: ProductField) -> Bool {
    var isWhole = true
    form.focus(field)
    form.edit(
      TextChange { editor in
        editor.buffer.selectAll()
        if text.isEmpty { editor.delete(.left) } else { isWhole = editor.paste(text) }
      })
    return isWhole
  }
}

extension RepositoryCapabilities {
  /// Currencies that the market accepts; empty if it accepts any.
  fileprivate var takenCurrencies: [Currency] {
    if case .only(let list) = currencies { list } else { [] }
  }

  func takes(_ currency: Currency) -> Bool {
    switch currencies {
    case .only(let list): list.contains(currency)
    case .any: currency.rawValue.count == 3 && currency.rawValue.allSatisfy(\.isLetter)
    }
  }
}
