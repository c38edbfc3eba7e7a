internal import TextCoding

/// Question to a terminal how many colours it shows, whatever its `TERM` says: a stock xterm has the
/// entry of one with eight, and shows all there are.
enum ColorQuery {
  /// Capabilities by which terminals state 24-bit colours: that of tmux, that of terminfo's entries
  /// for direct colour, and the number of colours in termcap's name.
  static let directNames = ["Tc", "RGB"]
  static let countName = "Co"

  /// Asks which capabilities there are (XTGETTCAP), each by itself, because xterm answers no further
  /// than the first that it lacks; then sets a background and asks what became of it (DECRQSS).
  ///
  /// Nothing is written in that background, and cursor and colours are as before (DECSC, DECRC).
  static let bytes: [UInt8] =
    (directNames + [countName]).flatMap { name in
      Array("\u{1B}P+q\(Hexadecimal.text(of: Array(name.utf8)))\u{1B}\\".utf8)
    } + Array("\u{1B}7\u{1B}[48:2:1:2:3m\u{1B}P$qm\u{1B}\\\u{1B}[m\u{1B}8".utf8)

  /// Colours of a terminal that says it now has such a background, of the numbers of SGR.
  ///
  /// What it keeps as it was set it can show; else it tells which colour of its palette came nearest.
  static func kept(in look: Substring) -> ColorDepth? {
    let numbers = look.split { $0 == ";" || $0 == ":" }.map { Int($0) ?? -1 }
    guard let ground = numbers.firstIndex(of: 48) else {
      if numbers.contains(where: { 100...107 ~= $0 }) { return .ansi16 }
      return numbers.contains { 40...47 ~= $0 } ? .ansi8 : nil
    }
    switch numbers[(ground + 1)...].first {
    case 2: return numbers.suffix(3) == [1, 2, 3] ? .direct : nil
    case 5: return .palette256
    default: return nil
    }
  }

  /// Colours of a terminal that states a capability.
  static func stated(_ name: String, _ value: String) -> ColorDepth? {
    if directNames.contains(name) { return .direct }
    guard name == countName, let count = Int(value) else { return nil }
    return ColorDepth(count: count)
  }
}

/// Colours that a terminal shows, and by what that is known.
package struct ColorCapability: Hashable, Sendable {
  package let depth: ColorDepth
  package let source: Source

  package enum Source: Hashable, Sendable {
    /// `NO_COLOR`.
    case refusal
    /// The terminfo entry of `TERM`.
    case entry
    /// `COLORTERM`, or a `TERM` that says so by its name.
    case environment
    /// The terminal's name and version (XTVERSION).
    case version
    /// A capability that the terminal stated (XTGETTCAP).
    case capability
    /// A background that the terminal kept (DECRQSS).
    case background
  }
}
