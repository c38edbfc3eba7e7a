/// One unit of a program's output, as a terminal reads it (ECMA-48).
package struct OutputToken: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    /// Printable bytes in UTF-8, as many as came together.
    case text
    /// One byte of C0, or DEL.
    case control
    /// ESC, intermediate bytes and a final byte.
    case escape
    case controlSequence
    case operatingSystemCommand
    /// DCS, APC, PM or SOS.
    case controlString
  }

  package let kind: Kind
  /// The unit as it was written, introducer and terminator included.
  package let bytes: [UInt8]

  package init(_ kind: Kind, _ bytes: [UInt8]) {
    self.kind = kind
    self.bytes = bytes
  }

  /// The text between the introducer and the terminator of a sequence: `?25h`, `11;?`.
  package var body: Substring {
    let text = String(decoding: bytes, as: UTF8.self).dropFirst(2)
    return switch kind {
    case .operatingSystemCommand, .controlString:
      text.hasSuffix("\u{1b}\\") ? text.dropLast(2) : text.dropLast()
    case .text, .control, .escape, .controlSequence: text
    }
  }

  /// The private modes that a control sequence sets (`h`) or resets (`l`), as in `CSI ? 25 ; 1000 h`.
  package var privateModes: (numbers: [Int], areSet: Bool)? {
    guard kind == .controlSequence, body.hasPrefix("?"), let final = body.last, "hl".contains(final)
    else { return nil }
    let numbers = body.dropFirst().dropLast().split(separator: ";").compactMap { Int($0) }
    return (numbers, final == "h")
  }
}

extension OutputToken: CustomStringConvertible {
  /// The bytes with everything invisible spelt out, for messages of failed tests.
  package var description: String {
    String(decoding: bytes, as: UTF8.self).unicodeScalars.map { scalar in
      switch scalar {
      case "\u{1b}": "ESC "
      case " "..."~": String(scalar)
      default: "<U+" + String(scalar.value, radix: 16, uppercase: true) + ">"
      }
    }.joined()
  }
}
