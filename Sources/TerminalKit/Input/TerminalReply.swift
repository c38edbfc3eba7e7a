/// What a terminal answers when it is asked about itself.
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
  /// An answer of the kitty graphics protocol (APC G), without its frame.
  case graphics(String)
  /// Any other answer; recognised so that it does not count as keys.
  case other
}
