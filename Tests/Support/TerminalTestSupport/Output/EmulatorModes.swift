/// The switches of a terminal that a full-screen program turns on and must turn off again.
package struct EmulatorModes: Sendable {
  private static let names = [
    1: "application cursor keys", 47: "alternate screen", 1000: "mouse clicks",
    1002: "mouse drags", 1003: "mouse motion", 1004: "focus reports", 1006: "mouse encoding",
    1047: "alternate screen", 1049: "alternate screen", 2004: "bracketed paste",
    1036: "Meta as ESC", 1039: "Alt as ESC", 2026: "synchronized output",
    2031: "colour scheme reports",
  ]

  private var on: Set<Int> = []
  private var isKeypadInApplicationMode = false
  private var keyboardDepth = 0
  package private(set) var isCursorVisible = true
  package private(set) var title = ""

  package init() {}

  package var isInAlternateScreen: Bool { !on.isDisjoint(with: [47, 1047, 1049]) }

  /// A frame has begun and has not ended: what is on the screen is half of a picture.
  package var isInsideFrame: Bool { on.contains(2026) }

  /// What differs from a terminal as a shell expects it, in words.
  package var leftOn: [String] {
    var words = on.sorted().compactMap { Self.names[$0] }
    if !isCursorVisible { words.append("hidden cursor") }
    if isKeypadInApplicationMode { words.append("application keypad") }
    if keyboardDepth != 0 { words.append("keyboard protocol") }
    return words
  }

  package mutating func apply(_ token: OutputToken) {
    if let (numbers, areSet) = token.privateModes {
      for number in numbers { set(number, to: areSet) }
    }
    switch token.kind {
    case .escape: applyEscape(token.bytes)
    case .controlSequence where token.body.hasSuffix("u"):
      if token.body.hasPrefix(">") { keyboardDepth += 1 }
      if token.body.hasPrefix("<") { keyboardDepth -= 1 }
    case .operatingSystemCommand where token.body.hasPrefix("0;") || token.body.hasPrefix("2;"):
      title = String(token.body.dropFirst(2))
    default: break
    }
  }

  private mutating func set(_ mode: Int, to isOn: Bool) {
    if mode == 25 {
      isCursorVisible = isOn
    } else if isOn {
      on.insert(mode)
    } else {
      on.remove(mode)
    }
  }

  private mutating func applyEscape(_ bytes: [UInt8]) {
    switch bytes.last {
    case UInt8(ascii: "="): isKeypadInApplicationMode = true
    case UInt8(ascii: ">"): isKeypadInApplicationMode = false
    default: break
    }
  }
}
