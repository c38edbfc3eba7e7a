/// Keys in the order in which they are typed: plain text, and names in angle brackets.
///
/// Names: `<Enter>` `<Esc>` `<Tab>` `<BackTab>` `<Up>` `<Down>` `<Left>` `<Right>` `<PgUp>` `<PgDn>`
/// `<Home>` `<End>` `<Space>` `<BS>` `<Del>` `<C-x>` `<A-x>` `<lt>`, `<Paste:text>` for a bracketed
/// paste, `<Click:COLUMN,ROW>` counted from 1, `<WheelUp>` and `<WheelDown>`.
package struct KeyScript: ExpressibleByStringLiteral, Sendable {
  /// What a terminal like xterm sends for the keys, with its cursor keys in application mode.
  package let bytes: [UInt8]

  package init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  package init(stringLiteral script: String) {
    self.init(script)
  }

  package init(_ script: String) {
    var bytes: [UInt8] = []
    var rest = Substring(script)
    while let first = rest.first {
      if first == "<", let end = rest.firstIndex(of: ">"),
        let sequence = Self.sequence(of: rest[rest.index(after: rest.startIndex)..<end])
      {
        bytes += sequence.utf8
        rest = rest[rest.index(after: end)...]
      } else {
        bytes += String(first).utf8
        rest.removeFirst()
      }
    }
    self.bytes = bytes
  }

  private static let named: [Substring: String] = [
    "Enter": "\r", "Esc": "\u{1b}", "Tab": "\t", "BackTab": "\u{1b}[Z", "Space": " ",
    "BS": "\u{7f}", "Del": "\u{1b}[3~", "lt": "<", "Up": "\u{1b}OA", "Down": "\u{1b}OB",
    "Right": "\u{1b}OC", "Left": "\u{1b}OD", "Home": "\u{1b}OH", "End": "\u{1b}OF",
    "PgUp": "\u{1b}[5~", "PgDn": "\u{1b}[6~", "F1": "\u{1b}OP", "F2": "\u{1b}OQ",
    "F7": "\u{1b}[18~",
    "WheelUp": "\u{1b}[<64;10;10M", "WheelDown": "\u{1b}[<65;10;10M",
  ]

  private static func sequence(of name: Substring) -> String? {
    if let known = named[name] { return known }
    if name.hasPrefix("C-"), name.utf8.count == 3, let letter = name.utf8.last {
      return String(Unicode.Scalar(letter & 0x1f))
    }
    if name.hasPrefix("A-") { return "\u{1b}" + name.dropFirst(2) }
    if name.hasPrefix("Paste:") { return "\u{1b}[200~" + name.dropFirst(6) + "\u{1b}[201~" }
    if name.hasPrefix("Click:") {
      let position = name.dropFirst(6).replacing(",", with: ";")
      return "\u{1b}[<0;\(position)M\u{1b}[<0;\(position)m"
    }
    return nil
  }
}
