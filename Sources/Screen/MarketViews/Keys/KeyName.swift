internal import SafeTextKit
package import TerminalKit

/// Name of a key in footer and help: ↵, ^D, Esc; a word where symbols cannot be shown or read aloud.
enum KeyName {
  static func text(_ press: KeyPress, inWords: Bool = false) -> SafeText {
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
    if inWords, let word = word(for: press.key) { return prefix + word }
    return prefix + name(press.key, isControl: press.modifiers.contains(.control))
  }

  /// Word for a key that is otherwise a symbol; nil for other keys.
  private static func word(for key: KeyPress.Key) -> SafeText? {
    switch key {
    case .enter: "Enter"
    case .backspace: "Bksp"
    case .up: "Up"
    case .down: "Down"
    case .left: "Left"
    case .right: "Right"
    case .character, .escape, .tab, .delete, .insert, .home, .end, .pageUp, .pageDown, .function:
      nil
    }
  }

  /// Returns all keys of a row for the help, or its first and last digit.
  static func texts(of row: KeyRow, inWords: Bool = false) -> [SafeText] {
    row.isDigits ? [text(of: row)] : texts(row.keys, inWords: inWords)
  }

  static func texts(_ keys: [KeyPress], inWords: Bool = false) -> [SafeText] {
    keys.map { text($0, inWords: inWords) }
  }

  static func joined(_ names: [SafeText]) -> SafeText { names.joined(separator: "  ") }

  /// Returns as many of the names as fit; the first one is cut where even that does not.
  static func fitting(_ names: [SafeText], columns: Int) -> SafeText {
    let count = (1...max(1, names.count)).last {
      joined(Array(names.prefix($0))).columns <= columns
    }
    return joined(Array(names.prefix(count ?? 1))).truncated(toColumns: columns)
  }

  /// Returns the best known key of a row, or its first and last digit.
  static func text(of row: KeyRow, inWords: Bool = false) -> SafeText {
    guard let first = row.keys.first, let last = row.keys.last else { return .empty }
    return row.isDigits ? text(first) + "-" + text(last) : text(first, inWords: inWords)
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
  /// Keys other than characters, by their names in a settings file.
  private static let named: [String: Key] = [
    "enter": .enter, "esc": .escape, "tab": .tab, "backspace": .backspace, "del": .delete,
    "ins": .insert, "up": .up, "down": .down, "left": .left, "right": .right, "home": .home,
    "end": .end, "pgup": .pageUp, "pgdn": .pageDown, "space": .character(" "),
  ]
  private static let modifierNames: [(String, Modifiers)] = [
    ("ctrl-", .control), ("alt-", .alt), ("shift-", .shift),
  ]

  /// Name of the key in a settings file, as `init(name:)` reads it.
  package var settingsName: String {
    let prefix = Self.modifierNames.filter { modifiers.contains($0.1) }
      .map { $0.0.prefix(1).uppercased() + $0.0.dropFirst() }.joined()
    switch key {
    case .character(" "): return prefix + "Space"
    case .character(let character):
      return prefix
        + (modifiers.contains(.control) ? character.uppercased() : String(character))
    case .pageUp: return prefix + "PgUp"
    case .pageDown: return prefix + "PgDn"
    case .function(let number): return prefix + "F\(number)"
    case .enter, .escape, .tab, .backspace, .delete, .insert, .up, .down, .left, .right, .home,
      .end:
      return prefix + (Self.named.first { $0.value == key }?.key.capitalizedFirst ?? "")
    }
  }

  /// Reads `j`, `Ctrl-N`, `Alt-x`, `Shift-Left`, `F5`, `Space`; nil for any other name.
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
      // Control keys have no case; letters carry theirs.
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

extension String {
  fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
