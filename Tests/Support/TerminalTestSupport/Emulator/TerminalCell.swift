/// One cell of the emulated screen.
package struct TerminalCell: Hashable, Sendable {
  package enum Color: Hashable, Sendable {
    /// The colour that the user's terminal has without being asked for another.
    case terminalDefault
    case indexed(UInt8)
    case rgb(red: UInt8, green: UInt8, blue: UInt8)
  }

  /// The character with its combining marks; empty in the second half of a wide one.
  package let text: String
  /// 1, or 2 where the character covers the next cell as well.
  package let width: Int
  package let foreground: Color
  package let background: Color
  package let isBold: Bool
  package let isReversed: Bool
  package let isStruckThrough: Bool
  package let isUnderlined: Bool
}
