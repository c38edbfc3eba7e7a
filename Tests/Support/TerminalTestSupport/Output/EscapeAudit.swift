/// Tells whether a program's output holds anything that the program had no reason to send.
///
/// Foreign text that reaches the terminal unfiltered is found here regardless of its effect: the list
/// has what is allowed, not what is known to be dangerous.
package enum EscapeAudit {
  /// Describes every unit outside the allowed ones, each with its bytes spelt out.
  package static func unexpectedSequences(in output: [UInt8]) -> [String] {
    var parser = OutputParser()
    var found = parser.parse(output).filter { !isAllowed($0) }.map(\.description)
    if !parser.unfinished.isEmpty {
      found.append("unfinished " + OutputToken(.text, parser.unfinished).description)
    }
    return found
  }

  private static func isAllowed(_ token: OutputToken) -> Bool {
    switch token.kind {
    case .text: isHarmless(token.bytes)
    case .control: [0x08, 0x09, 0x0a, 0x0d, 0x0e, 0x0f].contains(token.bytes[0])
    case .escape: escapes.contains(String(decoding: token.bytes.dropFirst(), as: UTF8.self))
    case .controlSequence: isAllowedControlSequence(token)
    case .operatingSystemCommand: isAllowedCommand(token.body)
    case .controlString: strings.contains(token.body)
    }
  }

  /// Character sets, cursor saved and restored, keypad, reverse index.
  private static let escapes: Set<String> = ["(B", "(0", ")0", "7", "8", "=", ">", "M", "D", "E"]

  /// Whether the terminal knows kitty's graphics, what it says of its colours, and what it shows.
  private static let strings: Set<Substring> = [
    "Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA", "+q5463", "+q524742", "+q436f", "$qm",
  ]

  /// Cursor, erasing, scrolling, repeating, colours and modes, and questions to the terminal.
  private static let plainFinals: Set<Character> = [
    "@", "A", "B", "C", "D", "G", "H", "J", "K", "L", "M", "P", "S", "T", "X", "Z", "b", "d", "m",
    "r", "s",
  ]

  private static let privateModes: Set<Int> = [
    1, 7, 12, 25, 69, 1000, 1002, 1003, 1004, 1006, 1034, 1036, 1039, 1049, 2004, 2026, 2027, 2031,
  ]

  private static let questions: Set<Substring> = [
    "c", "0c", ">c", ">0c", "5n", "6n", "?6n", "14t", "16t", "18t", "?996n", ">q", ">0q", "?u",
    "?69$p", "?1036$p", "?1039$p", "?2026$p", "?2027$p", "?2031$p",
  ]

  private static let others: Set<Substring> = [
    "4l", "4h", "!p", "22;0;0t", "23;0;0t", "0 q", "2 q",
  ]

  private static func isAllowedControlSequence(_ token: OutputToken) -> Bool {
    if let (numbers, _) = token.privateModes { return privateModes.isSuperset(of: numbers) }
    let body = token.body
    if questions.contains(body) || others.contains(body) { return true }
    let parameters = body.dropLast()
    let isPlain = parameters.allSatisfy { $0.isASCII && ($0.isNumber || $0 == ";" || $0 == ":") }
    if isPlain { return body.last.map(plainFinals.contains) ?? false }
    return body.hasSuffix("u") && body.first.map("<>=".contains) == true
  }

  /// Questions about colours and iTerm2's cell, and the palette as it was; no title is set.
  private static func isAllowedCommand(_ body: Substring) -> Bool {
    ["10;?", "11;?", "104", "1337;ReportCellSize"].contains(body)
  }

  /// Well-formed UTF-8 without C1 and without what is invisible or changes the direction.
  private static func isHarmless(_ bytes: [UInt8]) -> Bool {
    guard let text = String(validating: bytes, as: UTF8.self) else { return false }
    return text.unicodeScalars.allSatisfy { !isDangerous($0) }
  }

  private static func isDangerous(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x80...0x9f, 0xad, 0x61c, 0x200b...0x200f, 0x2028...0x202e, 0x2060...0x206f, 0xfeff,
      0x115f, 0x1160, 0x3164, 0xffa0, 0xfff9...0xfffb, 0xe0000...0xe0fff:
      true
    default: false
    }
  }
}
