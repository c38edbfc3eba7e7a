internal import EditorKit
internal import MarketModel

/// Check of one field's content by the rules of the form.
struct FieldCheck {
  private let field: ProductField
  private let rules: FormRules
  /// Maximum of the amount, in hundredths; nil for no maximum.
  private let most: Int64?

  init(_ field: ProductField, _ rules: FormRules, most: Int64?) {
    self.field = field
    self.rules = rules
    self.most = most
  }

  /// Problem of the content; nil if there is none.
  ///
  /// Empty optional fields count as empty here; amounts are read from `values`.
  func problem(in editor: FieldEditor, among values: FormValues) -> FieldError.Problem? {
    switch editor {
    case .photos(let list): list.photos.isEmpty ? .missing : nil
    case .line(let editor): problem(of: editor.text, inLines: false)
    case .area(let editor): problem(of: editor.text, inLines: true)
    case .secret(let entry): problem(ofLength: entry.password.characterCount)
    case .choice: nil
    case .number: problem(ofNumberAmong: values)
    }
  }

  private func problem(of text: String, inLines: Bool) -> FieldError.Problem? {
    switch text.problem(inLines: inLines) {
    case .missing: problem(ofLength: 0)
    case let controls?: controls
    case nil: problem(ofLength: text.trimmed.count)
    }
  }

  private func problem(ofLength count: Int) -> FieldError.Problem? {
    if count == 0 { return field.isOptional ? nil : .missing }
    if count < rules.length.lowerBound { return .tooShort(minimum: rules.length.lowerBound) }
    if count > rules.length.upperBound { return .tooLong(maximum: rules.length.upperBound) }
    return nil
  }

  private func problem(ofNumberAmong values: FormValues) -> FieldError.Problem? {
    if values[field].isEmpty { return .missing }
    do throws(AmountError) {
      switch try values.read(field) {
      case .amount(let amount):
        if let most, amount > most { return .abovePrice(priceHundredths: most) }
        return amount > rules.maximum ? .amount(.tooLarge) : nil
      case .number(let number):
        return number > rules.maximum ? .tooLong(maximum: Int(rules.maximum)) : nil
      case .text, .code, .yes, .pictures, .absent: return .unreadable
      // The price, of which this is a percentage, has the problem.
      case nil: return nil
      }
    } catch .negative {
      return .negative
    } catch {
      return .amount(error)
    }
  }
}
