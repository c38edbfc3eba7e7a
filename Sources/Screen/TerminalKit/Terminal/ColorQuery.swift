internal import TextCoding

/// Query for the number of colours, independent of `TERM`: a stock xterm's entry has eight, but it
/// shows 24-bit colours.
enum ColorQuery {
  /// Capability names for 24-bit colours: tmux's and that of terminfo's direct-colour entries.
  static let directNames = ["Tc", "RGB"]
  /// Termcap name of the number of colours.
  static let countName = "Co"

  /// Queries each capability by itself (XTGETTCAP), because xterm stops at the first that it lacks;
  /// then sets a background and queries the current attributes (DECRQSS).
  ///
  /// No character is written in that background; cursor and colours are saved and restored (DECSC,
  /// DECRC).
  static let bytes: [UInt8] =
    (directNames + [countName]).flatMap { name in
      Array("\u{1B}P+q\(Hexadecimal.text(of: Array(name.utf8)))\u{1B}\\".utf8)
    } + Array("\u{1B}7\u{1B}[48:2:1:2:3m\u{1B}P$qm\u{1B}\\\u{1B}[m\u{1B}8".utf8)

  /// Returns the depth of a terminal whose SGR numbers after setting the background are `look`; nil
  /// where they have no background.
  ///
  /// A terminal that returns the background unchanged shows it; otherwise it returns the nearest
  /// palette index.
  static func kept(in parameters: Substring) -> ColorDepth? {
    let numbers = parameters.split { $0 == ";" || $0 == ":" }.map { Int($0) ?? -1 }
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

  /// Returns the depth that a capability means; nil for other capabilities or values.
  static func stated(_ name: String, _ value: String) -> ColorDepth? {
    if directNames.contains(name) { return .direct }
    guard name == countName, let count = Int(value) else { return nil }
    return ColorDepth(count: count)
  }
}

/// Colour depth of a terminal and its source.
package struct ColorCapability: Hashable, Sendable {
  package let depth: ColorDepth
  package let source: Source

  package enum Source: Hashable, Sendable {
    /// `NO_COLOR` is set.
    case refusal
    /// The terminfo entry of `TERM`.
    case entry
    /// `COLORTERM`, or the name in `TERM`.
    case environment
    /// The terminal's name and version (XTVERSION).
    case version
    /// Capability that the terminal reported (XTGETTCAP).
    case capability
    /// Background that the terminal reported (DECRQSS).
    case background
  }
}
