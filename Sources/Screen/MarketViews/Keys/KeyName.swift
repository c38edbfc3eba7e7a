internal import SafeText
internal import TerminalKit

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
