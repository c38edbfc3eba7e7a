/// What the opened terminal can do.
package struct TerminalCapabilities: Hashable, Sendable {
  /// How characters are written.
  package enum Encoding: Hashable, Sendable {
    case utf8
    /// The user's locale does not say UTF-8, but there is one that does, and it is used.
    case assumedUTF8
    /// There is no UTF-8 locale, and only ASCII is shown.
    case ascii
  }

  package let colorDepth: ColorDepth
  /// Where it is false, an old price needs another mark than a line through it.
  package let canStrikeThrough: Bool
  package let encoding: Encoding
  /// Where it is false, the entry of `TERM` was not found and xterm's is used.
  package let isKnown: Bool

  package var isUTF8: Bool { encoding != .ascii }
}
