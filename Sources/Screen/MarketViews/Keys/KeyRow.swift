import MarketStrings
package import TerminalKit

/// A row of a view's table as it is now: for footer, help and clicks.
package struct KeyRow {
  package let name: String
  package let keys: [KeyPress]
  package let words: Phrase
  package let footer: Int?
  /// What the footer calls it together with its neighbour of the same words.
  package let jointWords: Phrase?
  package let group: BindingGroup
  /// Whether it can succeed now.
  package let isPossible: Bool
  /// Whether the footer offers it now.
  package let isOffered: Bool
  /// Whether its keys are digits, which run nothing without one.
  package let isDigits: Bool
  /// What keeps it from being used while it cannot; nil is that it cannot be used now.
  let obstacle: Phrase?
  let run: () -> Void
}
