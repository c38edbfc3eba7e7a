internal import TextCoding

/// Event that the terminal reports.
package enum InputEvent: Hashable, Sendable {
  case key(KeyPress)
  /// Text that was pasted as a whole: newlines are `\n`, other control characters are left out.
  case paste(String)
  case mouse(MouseEvent)
  /// Whether the terminal's window has the keyboard now.
  case focus(Bool)
  /// An answer of the terminal itself; never something that a person typed.
  case reply(TerminalReply)
}

/// Click, move with the button down, or turn of the wheel, at a cell.
package struct MouseEvent: Hashable, Sendable {
  package enum Action: Hashable, Sendable {
    /// A button went down.
    case press
    /// The mouse moved while the left button was down.
    case drag
    /// A button came up.
    case release
    case wheelUp
    case wheelDown
  }

  package enum Button: Int, Hashable, Sendable {
    case left
    case middle
    case right
  }

  package let action: Action
  /// The one that went down or came up; the left one for the wheel.
  package let button: Button
  package let point: CellPoint
  package let modifiers: KeyPress.Modifiers

  package init(
    _ action: Action, by button: Button = .left, at point: CellPoint,
    modifiers: KeyPress.Modifiers = []
  ) {
    self.action = action
    self.button = button
    self.point = point
    self.modifiers = modifiers
  }
}

/// Answer of a terminal that is asked about itself.
package enum TerminalReply: Hashable, Sendable {
  /// The background colour (OSC 11).
  case background(RGB)
  /// The foreground colour (OSC 10).
  case foreground(RGB)
  /// Primary device attributes (DA1): the numbers after `ESC [ ?`; 4 among them means sixel.
  case attributes([Int])
  /// Name and version (XTVERSION), foreign text as it came.
  case version(String)
  /// Where the cursor is (CPR).
  case cursor(CellPoint)
  /// A mode's state (DECRQM): 0 is unknown, 1 set, 2 reset, 3 and 4 the same for ever.
  case mode(number: Int, state: Int)
  /// Pixels of one cell (CSI 16 t).
  case cellPixels(width: Int, height: Int)
  /// Colours that one sixel picture may have (XTSMGRAPHICS).
  case colorRegisters(Int)
  /// The colour scheme changed to dark or light (mode 2031).
  case colorScheme(isDark: Bool)
  /// All that came before the question has been taken (DSR 5).
  case ready
  /// What a 24-bit background became (DECRQSS of SGR): as many colours as the terminal kept.
  case keptColors(ColorDepth)
  /// A capability that the terminal has (XTGETTCAP), foreign text as it came; "" for one without a
  /// value.
  case capability(name: String, value: String)
  /// An answer of the kitty graphics protocol (APC G), without its frame.
  case graphics(String)
  /// Any other answer; recognised so that it does not count as keys.
  case other

  /// Reads what stood between the introducer of a string and its end.
  init(introducer: KeyDecoder.Introducer, body: [UInt8]) {
    let text = String(decoding: body, as: UTF8.self)
    switch introducer {
    case .system: self = Self.color(in: text) ?? .other
    case .device: self = Self.device(text)
    case .application: self = text.hasPrefix("G") ? .graphics(String(text.dropFirst())) : .other
    default: self = .other
    }
  }

  /// A version, a capability, or the look that characters have at present.
  private static func device(_ text: String) -> TerminalReply {
    if text.hasPrefix(">|") { return .version(String(text.dropFirst(2))) }
    if text.hasPrefix("1+r") { return capability(text.dropFirst(3)) ?? .other }
    if text.hasPrefix("1$r"), text.hasSuffix("m") {
      return ColorQuery.kept(in: text.dropFirst(3).dropLast()).map { .keptColors($0) } ?? .other
    }
    return .other
  }

  /// `name=value`, both in hexadecimal; of several the first counts.
  private static func capability(_ text: Substring) -> TerminalReply? {
    let fields = text.prefix { $0 != ";" }.split(separator: "=", maxSplits: 1)
    let texts = fields.compactMap {
      Hexadecimal.bytes(of: String($0)).map { String(decoding: $0, as: UTF8.self) }
    }
    guard let name = texts.first, texts.count == fields.count else { return nil }
    return .capability(name: name, value: texts.count > 1 ? texts[1] : "")
  }

  /// `11;rgb:RRRR/GGGG/BBBB`, each with one to four hexadecimal digits (XParseColor).
  private static func color(in text: String) -> TerminalReply? {
    let fields = text.split(separator: ";")
    guard fields.count == 2, let name = fields[1].split(separator: ":").last,
      fields[1].hasPrefix("rgb:") || fields[1].hasPrefix("rgba:")
    else { return nil }
    let channels = name.split(separator: "/").compactMap(channel)
    guard channels.count >= 3 else { return nil }
    let color = RGB(channels[0], channels[1], channels[2])
    switch fields[0] {
    case "10": return .foreground(color)
    case "11": return .background(color)
    default: return nil
    }
  }

  private static func channel(_ digits: Substring) -> UInt8? {
    guard 1...4 ~= digits.utf8.count, let value = UInt32(digits, radix: 16) else { return nil }
    let maximum = UInt32(1) << (4 * digits.utf8.count) - 1
    return UInt8(value * 255 / maximum)
  }
}

extension ControlSequence {
  /// The answer that the sequence is; nil where it is a key or unknown.
  var reply: TerminalReply? {
    switch (marker, intermediate, final) {
    case (UInt8(ascii: "?"), nil, UInt8(ascii: "c")): .attributes(parameters)
    case (UInt8(ascii: "?"), UInt8(ascii: "$"), UInt8(ascii: "y")):
      .mode(number: parameter(0), state: parameter(1))
    case (UInt8(ascii: "?"), nil, UInt8(ascii: "n")) where parameter(0) == 997:
      .colorScheme(isDark: parameter(1) == 1)
    case (UInt8(ascii: "?"), nil, UInt8(ascii: "S"))
    where parameter(0) == 1 && parameter(1) == 0: .colorRegisters(parameter(2))
    case (nil, nil, UInt8(ascii: "R")): cursorReport
    case (nil, nil, UInt8(ascii: "t")):
      parameter(0) == 6
        ? .cellPixels(width: parameter(2), height: parameter(1)) : .other
    case (nil, nil, UInt8(ascii: "n")) where parameters == [0]: .ready
    case (nil, nil, UInt8(ascii: "n")), (.some, _, _): .other
    default: nil
    }
  }

  /// `CSI row ; column R`, unless it is F3 with modifiers, which looks like the first row.
  private var cursorReport: TerminalReply? {
    guard parameters.count == 2, parameter(0) != 1 || parameter(1) > 8 else { return nil }
    return .cursor(CellPoint(column: parameter(1) - 1, row: parameter(0) - 1))
  }
}
