import MarketStrings
package import TerminalKit

/// Row of a view's key table in its present state, for footer, help and clicks.
package struct KeyRow {
  package let name: String
  package let keys: [KeyPress]
  package let words: Phrase
  package let footer: Int?
  /// Label of the footer's hint shared with the adjacent row of the same label; nil for a separate
  /// hint.
  package let jointWords: Phrase?
  package let group: BindingGroup
  /// Whether the command can succeed.
  package let isPossible: Bool
  /// Whether the footer shows the row.
  package let isOffered: Bool
  /// Whether the keys are digits; without one, `run` has no effect.
  package let isDigits: Bool
  /// Reason why the command is unavailable; nil is "not now".
  let obstacle: Phrase?
  let run: () -> Void
}
