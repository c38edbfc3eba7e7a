import MarketStrings
import MarketViews
import SafeText
import TerminalKit

extension TerminalError {
  /// One sentence with what to do.
  @MainActor func text(_ strings: Strings) -> SafeText {
    switch self {
    case .notATerminal: strings[.terminalMissing]
    case .unnamedTerminal: strings[.terminalUnnamed]
    case .tooSimple: strings[.terminalTooSimple]
    case .unavailable: strings[.terminalUnavailable]
    }
  }
}
