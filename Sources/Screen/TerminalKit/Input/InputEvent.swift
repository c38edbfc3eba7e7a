internal import TextCoding

/// Event that the terminal reports.
package enum InputEvent: Hashable, Sendable {
  case key(KeyPress)
  /// Pasted text: newlines are `\n`, control characters other than tab are removed.
  case paste(String)
  case mouse(MouseEvent)
  /// True where the terminal's window gained the keyboard focus, false where it lost it.
  case focus(Bool)
  /// Reply of the terminal to a query; never typed by the user.
  case reply(TerminalReply)
}

/// Click, drag or wheel turn at a cell.
package struct MouseEvent: Hashable, Sendable {
  package enum Action: Hashable, Sendable {
    /// A button was pressed.
    case press
    /// The mouse moved with the left button pressed.
    case drag
    /// A button was released.
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
  /// Button that was pressed or released; left for the wheel.
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

/// Reply of the terminal to a query about itself.
package enum TerminalReply: Hashable, Sendable {
  /// The background colour (OSC 11).
  case background(RGB)
  /// The foreground colour (OSC 10).
  case foreground(RGB)
  /// Primary device attributes (DA1): the numbers after `ESC [ ?`; 4 among them means sixel.
  case attributes([Int])
  /// Name and version (XTVERSION), untrusted text.
  case version(String)
  /// Position of the cursor (CPR).
  case cursor(CellPoint)
  /// State of a mode (DECRQM): 0 unknown, 1 set, 2 reset, 3 permanently set, 4 permanently reset.
  case mode(number: Int, state: Int)
  /// Size of a cell in pixels (CSI 16 t).
  case cellPixels(width: Int, height: Int)
  /// Size of a cell in pixels, as iTerm2 reports it (OSC 1337).
  case inlineCell(width: Int, height: Int)
  /// Maximum colours of a sixel picture (XTSMGRAPHICS).
  case colorRegisters(Int)
  /// The colour scheme changed (mode 2031).
  case colorScheme(isDark: Bool)
  /// All bytes before the query were processed (DSR 5).
  case ready
  /// Depth at which the terminal returned a 24-bit background (DECRQSS of SGR).
  case keptColors(ColorDepth)
  /// Capability of the terminal (XTGETTCAP), untrusted text; the value is "" where it has none.
  case capability(name: String, value: String)
  /// Reply of the kitty graphics protocol (APC G), without introducer and terminator.
  case graphics(String)
  /// Any other reply; recognized so that it is not read as keys.
  case other

  /// Whether it is the reply to the query that every terminal answers last.
  var isLast: Bool { if case .attributes = self { true } else { false } }

  /// Creates the reply of a control string's body.
  init(introducer: KeyDecoder.Introducer, body: [UInt8]) {
    let text = String(decoding: body, as: UTF8.self)
    switch introducer {
    case .system: self = Self.color(in: text) ?? Self.inlineCell(in: text) ?? .other
    case .device: self = Self.device(text)
    case .application: self = text.hasPrefix("G") ? .graphics(String(text.dropFirst())) : .other
    default: self = .other
    }
  }

  /// Reads `1337;ReportCellSize=HEIGHT;WIDTH;SCALE` in points, with pixels per point from iTerm2 3.4 on.
  private static func inlineCell(in text: String) -> TerminalReply? {
    let name = "1337;ReportCellSize="
    guard text.hasPrefix(name) else { return nil }
    let numbers = text.dropFirst(name.utf8.count).split(separator: ";").compactMap { Double($0) }
    guard 2...3 ~= numbers.count, numbers.allSatisfy({ 1...10_000 ~= $0 }) else { return nil }
    let scale = numbers.count == 3 ? numbers[2] : 1
    return .inlineCell(width: Int(numbers[1] * scale), height: Int(numbers[0] * scale))
  }

  /// Returns the reply of a DCS string: version, capability or current attributes.
  private static func device(_ text: String) -> TerminalReply {
    if text.hasPrefix(">|") { return .version(String(text.dropFirst(2))) }
    if text.hasPrefix("1+r") { return capability(text.dropFirst(3)) ?? .other }
    if text.hasPrefix("1$r"), text.hasSuffix("m") {
      return ColorQuery.kept(in: text.dropFirst(3).dropLast()).map { .keptColors($0) } ?? .other
    }
    return .other
  }

  /// Reads the first `name=value`, both in hexadecimal; nil for invalid digits.
  private static func capability(_ text: Substring) -> TerminalReply? {
    let fields = text.prefix { $0 != ";" }.split(separator: "=", maxSplits: 1)
    let texts = fields.compactMap {
      Hexadecimal.bytes(of: String($0)).map { String(decoding: $0, as: UTF8.self) }
    }
    guard let name = texts.first, texts.count == fields.count else { return nil }
    return .capability(name: name, value: texts.count > 1 ? texts[1] : "")
  }

  /// Reads `11;rgb:RRRR/GGGG/BBBB` with one to four hexadecimal digits per channel (XParseColor); nil
  /// for anything else.
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
  /// Reply that the sequence is; nil where it is a key or unknown.
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

  /// Cursor position of `CSI row ; column R`; nil for F3 with modifiers, which has the form of a
  /// position in row 1 from column 2 on.
  private var cursorReport: TerminalReply? {
    guard parameters.count == 2, parameter(0) != 1 || !(2...8 ~= parameter(1)) else { return nil }
    return .cursor(CellPoint(column: parameter(1) - 1, row: parameter(0) - 1))
  }
}
