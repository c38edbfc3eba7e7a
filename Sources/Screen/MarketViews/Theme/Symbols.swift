internal import TerminalKit

/// The symbols of our own that views draw; each stands in the common fonts.
extension Symbol {
  static let filledDot: Symbol = "●"
  static let emptyDot: Symbol = "○"
  static let checked: Symbol = "■"
  static let unchecked: Symbol = "□"
  static let moreBelow: Symbol = "▾"
  static let focused: Symbol = "▸"
  static let heavyRule: Symbol = "━"
  static let lightDash: Symbol = "╌"
}
