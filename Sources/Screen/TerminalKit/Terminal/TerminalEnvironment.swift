internal import Posix

/// Facts about the terminal from environment variables.
package struct TerminalEnvironment: Hashable, Sendable {
  /// Value of `TERM`; nil where it is not set.
  package var name: String?
  /// Value of `COLORTERM`; nil where it is not set.
  package var colorTerm: String?
  /// Value of `COLORFGBG`: palette indices of foreground and background, set by rxvt and Konsole; nil
  /// where it is not set.
  package var colorHint: String?
  /// Whether `NO_COLOR` is set and not empty (no-color.org).
  package var refusesColor: Bool
  /// Whether `TMUX` is set.
  package var isInsideTmux: Bool
  /// Whether `STY` is set, by GNU screen.
  package var isInsideScreen: Bool
  /// Whether `NVIM`, or `NVIM_LISTEN_ADDRESS` before Neovim 0.8, says that an editor shows the terminal.
  var isInsideNeovim: Bool
  /// Whether ssh variables say that the terminal is on another machine.
  package var isOverSSH: Bool
  /// Whether `TERM_PROGRAM` names the terminal of macOS.
  var isAppleTerminal: Bool
  /// Terminal program that variables name; nil where none does.
  ///
  /// A terminal inherits the variables of the one that it was started from, and a multiplexer those of
  /// where it was started, so they only choose the queries.
  package var brand: TerminalBrand?
  /// Terminal program that reported its name (XTVERSION); nil before and for unknown ones.
  package private(set) var reportedBrand: TerminalBrand?
  /// Whether the terminal printed a control string instead of ignoring it.
  package var printsStrings = false

  package init(
    name: String?, colorTerm: String? = nil, colorHint: String? = nil, refusesColor: Bool = false,
    isInsideTmux: Bool = false, isInsideScreen: Bool = false, isInsideNeovim: Bool = false,
    isOverSSH: Bool = false, isAppleTerminal: Bool = false, brand: TerminalBrand? = nil
  ) {
    self.name = name
    self.colorTerm = colorTerm
    self.colorHint = colorHint
    self.refusesColor = refusesColor
    self.isInsideTmux = isInsideTmux
    self.isInsideScreen = isInsideScreen
    self.isInsideNeovim = isInsideNeovim
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
      isInsideScreen: value("STY") != nil,
      isInsideNeovim: value("NVIM") != nil || value("NVIM_LISTEN_ADDRESS") != nil,
      isOverSSH: SessionEnvironment().isRemote,
      isAppleTerminal: value("TERM_PROGRAM") == "Apple_Terminal",
      brand: TerminalBrand.find(in: value)?.brand)
  }

  /// Learns from the reported name which program and multiplexer the terminal is; `TMUX` and `STY` are
  /// inherited by terminals that are started inside, and lost over ssh.
  mutating func didReceive(version: String) {
    reportedBrand = TerminalBrand(version: version)
    if version.hasPrefix("tmux") {
      isInsideTmux = true
    } else if reportedBrand != nil {
      (isInsideTmux, isInsideScreen) = (false, false)
    }
  }

  /// Terminal program by its own report, else by `TERM`, which every terminal sets for itself.
  var knownBrand: TerminalBrand? {
    reportedBrand ?? TerminalBrand.find { $0 == "TERM" ? name : nil }?.brand
  }

  /// Whether `COLORFGBG` says that the background is light (palette index 7, or 9 and above); nil where
  /// it does not say.
  package var hintsLightBackground: Bool? {
    if isLinuxConsole { return false }
    guard let index = colorHint?.split(separator: ";").last.flatMap({ Int($0) }) else { return nil }
    return index == 7 || index > 8
  }

  /// Whether the terminal claims 24-bit colours.
  ///
  /// GNU screen inherits `COLORTERM` from its terminal but has no such colours.
  var statesDirectColor: Bool {
    guard let name else { return false }
    if name.hasSuffix("-direct") || ["xterm-kitty", "xterm-ghostty"].contains(name) { return true }
    if name.hasPrefix("screen"), !isInsideTmux { return false }
    return colorTerm == "truecolor" || colorTerm == "24bit"
  }

  /// Whether the terminal ignores unknown queries; old consoles and Emacs' term print them.
  package var knowsStrings: Bool {
    guard let name, !printsStrings else { return false }
    return !["linux", "vt", "cons", "sun", "wy", "eterm"].contains { name.hasPrefix($0) }
  }

  /// Whether it is the Linux console, whose font of 512 characters has few blocks and no braille.
  var isLinuxConsole: Bool { name?.hasPrefix("linux") == true }

  /// Whether to query the colours: some terminals show more than `TERM` says; that of macOS prints the
  /// query.
  var mayShowMoreColors: Bool {
    knowsStrings && !refusesColor && !statesDirectColor && !isAppleTerminal
  }

  /// Whether `TERM` names an xterm or tmux with 256 colours.
  var isXtermFamily: Bool {
    guard let name, name.hasSuffix("-256color") else { return false }
    return name.hasPrefix("xterm") || name.hasPrefix("tmux")
  }
}
