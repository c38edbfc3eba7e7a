import MarketViews
import SafeText

extension CommandLineError {
  /// One sentence, and where to read on.
  @MainActor func text(_ strings: Strings) -> SafeText {
    switch self {
    case .unknownOption(let name): strings(.usageUnknownOption, SafeText(name))
    case .missingValue(let usage): strings(.usageMissingValue, SafeText(usage))
    case .badValue(let option, let value, let expected):
      strings(.usageBadValue, SafeText(option), SafeText(value), SafeText(expected))
    case .unexpectedArgument(let word): strings(.usageUnexpected, SafeText(word))
    case .missingArgument(let usage): strings(.usageMissingValue, SafeText(usage))
    }
  }
}
