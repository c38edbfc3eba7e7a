import MarketStrings
package import MarketViewModels
package import TerminalKit

extension ProgramCommand {
  /// Its key, which means nothing else anywhere.
  package var key: KeyPress {
    switch self {
    case .redraw: .control("l")
    case .suspend: .control("z")
    }
  }

  /// The command of a key; nil for all others.
  package init?(_ key: KeyPress) {
    guard let command = Self.allCases.first(where: { $0.key == key }) else { return nil }
    self = command
  }

  var words: Phrase {
    switch self {
    case .redraw: .keyRedraw
    case .suspend: .keySuspend
    }
  }
}

extension Phrase {
  static var keyRedraw: Phrase { .named() }
  static var keySuspend: Phrase { .named() }
}
