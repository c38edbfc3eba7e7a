internal import Posix

/// Facts that the environment states about the terminal.
package struct TerminalEnvironment: Hashable, Sendable {
  /// The variable `TERM`.
  package var name: String?
  /// The variable `COLORTERM`.
  package var colorTerm: String?
  /// `COLORFGBG`, the foreground's and the background's palette index as rxvt and Konsole state it.
  package var colorHint: String?
  /// `NO_COLOR` is set and not empty (no-color.org).
  package var refusesColor: Bool
  /// `TMUX` is set.
  package var isInsideTmux: Bool
  /// `STY` is set: GNU screen.
  package var isInsideScreen: Bool
  /// ssh says that the terminal is on another machine.
  package var isOverSSH: Bool
  /// `TERM_PROGRAM` is that of the terminal of macOS.
  var isAppleTerminal: Bool
  /// The terminal as its own variables tell it; inside a multiplexer, where that was started.
  package var brand: TerminalBrand?

  package init(
    name: String?, colorTerm: String? = nil, colorHint: String? = nil, refusesColor: Bool = false,
    isInsideTmux: Bool = false, isInsideScreen: Bool = false, isOverSSH: Bool = false,
    isAppleTerminal: Bool = false, brand: TerminalBrand? = nil
  ) {
    self.name = name
    self.colorTerm = colorTerm
    self.colorHint = colorHint
    self.refusesColor = refusesColor
    self.isInsideTmux = isInsideTmux
    self.isInsideScreen = isInsideScreen
    self.isOverSSH = isOverSSH
    self.isAppleTerminal = isAppleTerminal
    self.brand = brand
  }

  /// The environment of this process.
  package static func current() -> TerminalEnvironment {
    let value = Environment.value(of:)
    return TerminalEnvironment(
      name: value("TERM"), colorTerm: value("COLORTERM"), colorHint: value("COLORFGBG"),
      refusesColor: value("NO_COLOR") != nil, isInsideTmux: value("TMUX") != nil,
      isInsideScreen: value("STY") != nil, isOverSSH: SessionEnvironment().isRemote,
      isAppleTerminal: value("TERM_PROGRAM") == "Apple_Terminal",
      brand: TerminalBrand.find(in: value)?.brand)
  }

  /// Whether the background is light, as far as the environment tells: palette indices 7 and 9 to 15
  /// are light ones.
  package var hintsLightBackground: Bool? {
    guard let index = colorHint?.split(separator: ";").last.flatMap({ Int($0) }) else { return nil }
    return index == 7 || index > 8
  }

  /// Whether the terminal says that it shows 24-bit colours.
  ///
  /// GNU screen passes the variable on from a terminal that could, but cannot itself.
  var statesDirectColor: Bool {
    guard let name else { return false }
    if name.hasSuffix("-direct") || ["xterm-kitty", "xterm-ghostty"].contains(name) { return true }
    if name.hasPrefix("screen"), !isInsideTmux { return false }
    return colorTerm == "truecolor" || colorTerm == "24bit"
  }

  /// Whether questions that the terminal does not know leave no trace: old consoles print them.
  var knowsStrings: Bool {
    guard let name else { return false }
    return !["linux", "vt", "cons", "sun", "wy"].contains { name.hasPrefix($0) }
  }

  /// Whether it is the console of Linux, whose font of 512 characters has few blocks and no braille.
  var isLinuxConsole: Bool { name?.hasPrefix("linux") == true }

  /// Whether it is worth asking which colours the terminal has: some answer otherwise than `TERM`,
  /// but that of macOS prints the question.
  var mayShowMoreColors: Bool {
    knowsStrings && !refusesColor && !statesDirectColor && !isAppleTerminal
  }

  /// Whether it is one of the xterm family by name.
  var isXtermFamily: Bool {
    guard let name, name.hasSuffix("-256color") else { return false }
    return name.hasPrefix("xterm") || name.hasPrefix("tmux")
  }
}
