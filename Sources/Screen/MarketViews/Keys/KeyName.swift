internal import SafeText
package import TerminalKit

/// A key as the footer and the help write it: ↵, ^D, Esc.
enum KeyName {
  static func text(_ press: KeyPress) -> SafeText {
    let prefix: SafeText =
      if press.modifiers.contains(.control) {
        "^"
      } else if press.modifiers.contains(.alt) {
        "Alt-"
      } else if press.modifiers.contains(.shift) {
        "Shift-"
      } else {
        .empty
      }
    return prefix + name(press.key, isControl: press.modifiers.contains(.control))
  }

  /// The keys of a row as the help writes them: all of them, or the first and the last digit.
  static func texts(of row: KeyRow) -> SafeText {
    row.isDigits ? text(of: row) : texts(row.keys)
  }

  static func texts(_ keys: [KeyPress]) -> SafeText {
    keys.map(text).joined(separator: "  ")
  }

  /// The best known key of a row, or the first and the last digit.
  static func text(of row: KeyRow) -> SafeText {
    guard let first = row.keys.first, let last = row.keys.last else { return .empty }
    return row.isDigits ? text(first) + "-" + text(last) : text(first)
  }

  private static func name(_ key: KeyPress.Key, isControl: Bool) -> SafeText {
    switch key {
    case .character(" "): "Space"
    case .character(let character):
      SafeText(isControl ? character.uppercased() : String(character))
    case .enter: "↵"
    case .escape: "Esc"
    case .tab: "Tab"
    case .backspace: "⌫"
    case .delete: "Del"
    case .insert: "Ins"
    case .up: "↑"
    case .down: "↓"
    case .left: "←"
    case .right: "→"
    case .home: "Home"
    case .end: "End"
    case .pageUp: "PgUp"
    case .pageDown: "PgDn"
    case .function(let number): "F" + SafeText(number)
    }
  }
}

extension KeyPress {
  /// Keys that are no single character, by the names that a settings file gives them.
  private static let named: [String: Key] = [
    "enter": .enter, "esc": .escape, "tab": .tab, "backspace": .backspace, "del": .delete,
    "ins": .insert, "up": .up, "down": .down, "left": .left, "right": .right, "home": .home,
    "end": .end, "pgup": .pageUp, "pgdn": .pageDown, "space": .character(" "),
  ]
  private static let modifierNames: [(String, Modifiers)] = [
    ("ctrl-", .control), ("alt-", .alt), ("shift-", .shift),
  ]

  /// Reads `j`, `Ctrl-N`, `Alt-x`, `Shift-Left`, `F5`, `Space`; nil for what is no name of a key.
  package init?(name: String) {
    var rest = name[...]
    var modifiers: Modifiers = []
    while let (prefix, modifier) = Self.modifierNames.first(where: {
      rest.lowercased().hasPrefix($0.0) && rest.count > $0.0.count
    }) {
      modifiers.insert(modifier)
      rest = rest.dropFirst(prefix.count)
    }
    if let character = rest.first, rest.count == 1 {
      // Control keys have no case of their own, and letters carry theirs.
      let isControl = modifiers.contains(.control)
      guard !modifiers.contains(.shift) else { return nil }
      self.init(.character(isControl ? Character(character.lowercased()) : character), modifiers)
    } else if let key = Self.named[rest.lowercased()] {
      self.init(key, modifiers)
    } else if rest.lowercased().hasPrefix("f"), let number = Int(rest.dropFirst()),
      (1...20).contains(number)
    {
      self.init(.function(number), modifiers)
    } else {
      return nil
    }
  }
}
