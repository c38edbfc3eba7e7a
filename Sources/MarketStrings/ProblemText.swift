package import MarketModel
package import SafeText

/// What is wrong with a field, in a sentence.
package enum ProblemText {
  package static func text(
    _ problem: FieldError.Problem, of field: ProductField, _ strings: Strings
  ) -> SafeText {
    let kind = FieldDescription[field].kind
    return switch problem {
    case .missing: strings[kind == .pictures ? .problemNoPhoto : .problemMissing]
    case .unreadable: strings[.problemUnreadable]
    case .tooShort(let minimum): strings.counted(.problemTooShort, minimum)
    case .tooLong(let maximum):
      strings.counted(kind.isNumber ? .problemTooMany : .problemTooLong, maximum)
    case .negative: strings[.problemNegative]
    case .abovePrice(let hundredths):
      strings(.problemAbovePrice, SafeText(amount(hundredths)))
    case .notWhole: strings[.problemNotWhole]
    case .unsupportedCurrency: strings[.problemCurrency]
    case .unsupportedPicture: strings[.photoNotAPicture]
    case .pictureTooLarge: strings[.photoTooLarge]
    case .refused(let words): strings(.problemRefused, SafeText(words))
    }
  }

  private static func amount(_ hundredths: Int64) -> String {
    let whole = NumberText.grouped(hundredths / 100)
    let cents = hundredths % 100
    return cents == 0 ? whole : whole + (cents < 10 ? ".0" : ".") + String(cents)
  }
}

extension FieldKind {
  fileprivate var isNumber: Bool { if case .number = self { true } else { false } }
}
