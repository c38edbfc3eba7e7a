/// What the opened terminal can do.
package struct TerminalCapabilities: Hashable, Sendable {
  package let colorDepth: ColorDepth
  /// Where it is false, an old price needs another mark than a line through it.
  package let canStrikeThrough: Bool
  /// Where it is false, no UTF-8 locale was found and only ASCII is shown.
  package let isUTF8: Bool
  /// Where it is false, the entry of `TERM` was not found and xterm's is used.
  package let isKnown: Bool
}
