import MarketStrings
import MarketViews
import SafeText
import StoreCore

@MainActor extension CommandLineError {
  /// One sentence, and where to read on.
  func text(_ strings: Strings) -> SafeText {
    switch self {
    case .unknownOption(let name, let meant):
      strings(.usageUnknownOption, shown(name), advice(meant, strings))
    case .unknownCommand(let name, let meant):
      strings(.usageUnknownCommand, shown(name), advice(meant, strings))
    case .missingValue(let usage): strings(.usageMissingValue, SafeText(usage))
    case .badValue(let option, let value, let expected):
      strings(.usageBadValue, SafeText(option), shown(value), SafeText(expected))
    case .unexpectedArgument(let word): strings(.usageUnexpected, shown(word))
    case .missingArgument(let usage): strings(.usageMissingValue, SafeText(usage))
    case .optionOfOthers(let option, let command):
      strings(
        .usageOptionOfOthers, SafeText(option),
        SafeText(["market", command].compactMap(\.self).joined(separator: " ")))
    case .contradiction(let first, let second):
      strings(.usageContradiction, SafeText(first), SafeText(second))
    case .address(.pairs): strings[.databasePairs]
    case .address(.openPassword): strings[.databaseOpenPassword]
    case .database: strings[.usageDatabase]
    }
  }

  /// A word as it was written, without an address in it.
  private func shown(_ word: String) -> SafeText {
    SafeText(MarketPlace.withoutAddress(word))
  }

  /// What was meant, perhaps, or where to read on.
  private func advice(_ meant: String?, _ strings: Strings) -> SafeText {
    meant.map { strings(.usageMeant, SafeText($0)) } ?? strings[.usageSeeHelp]
  }
}
