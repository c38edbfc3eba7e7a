package import TerminalKit

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
