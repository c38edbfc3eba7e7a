/// Terminal program, as far as it decides on pictures, colours and notifications.
package enum TerminalBrand: String, CaseIterable, Hashable, Sendable {
  case kitty
  case ghostty
  case wezterm = "WezTerm"
  case iterm2 = "iTerm2"
  case vscode = "VS Code"
  case mintty
  case foot
  case konsole = "Konsole"
  case windowsTerminal = "Windows Terminal"
  case alacritty = "Alacritty"
  case contour
  case mlterm
  case vte = "VTE"
  case xterm

  /// Returns the program that the environment names and the variable, looked up by `variable`, that
  /// names it; nil where none does.
  static func find(in variable: (String) -> String?) -> (brand: TerminalBrand, variable: String)? {
    for (name, value, brand) in values where variable(name)?.hasPrefix(value) == true {
      return (brand, name)
    }
    return nil
  }

  /// Reads the reply to XTVERSION, such as `kitty(0.43.0)`; nil for an unknown program.
  init?(version: String) {
    let known: [(String, TerminalBrand)] = [
      ("kitty", .kitty), ("ghostty", .ghostty), ("WezTerm", .wezterm), ("iTerm2", .iterm2),
      ("xterm.js", .vscode), ("mintty", .mintty), ("foot", .foot), ("Konsole", .konsole),
      ("contour", .contour), ("mlterm", .mlterm), ("VTE", .vte), ("XTerm", .xterm),
    ]
    guard let brand = known.first(where: { version.hasPrefix($0.0) })?.1 else { return nil }
    self = brand
  }

  /// Picture method of every version, which no attribute of DA1 announces; nil for the others.
  var pictures: PictureMethod? {
    switch self {
    case .kitty, .ghostty: .kitty
    case .wezterm, .iterm2, .vscode, .mintty: .inline
    default: nil
    }
  }

  /// Colours of all versions that report their name; nil where they differ by build or setting.
  var colors: ColorDepth? {
    switch self {
    case .kitty, .ghostty, .wezterm, .iterm2, .vscode, .mintty, .foot, .konsole, .windowsTerminal,
      .alacritty, .contour, .vte:
      .direct
    case .mlterm, .xterm: nil
    }
  }

  /// Whether it draws sextants itself, independent of the font.
  ///
  /// Alacritty does from 0.14 on, but does not report its version.
  var drawsSextants: Bool {
    switch self {
    case .kitty, .ghostty, .wezterm, .foot, .konsole, .contour, .vte: true
    case .iterm2, .vscode, .mintty, .windowsTerminal, .alacritty, .mlterm, .xterm: false
    }
  }

  /// First version, major and minor, that draws octants itself; nil where none is known.
  var firstWithOctants: (Int, Int)? {
    switch self {
    case .kitty: (0, 40)
    case .ghostty: (1, 2)
    case .foot: (1, 20)
    // VTE reports 0.78.0 as 7800.
    case .vte: (7800, 0)
    default: nil
    }
  }

  /// Whether text that is written over a painted picture erases it.
  ///
  /// In Konsole only clearing the screen (ED 2), the alternate screen and kitty's deletion do.
  var textErasesPictures: Bool { self != .konsole }

  /// Variable, prefix of its value, and program; variables that other programs inherit come after those
  /// that a terminal sets for itself.
  private static let values: [(String, String, TerminalBrand)] = [
    ("TERM", "xterm-kitty", .kitty),
    ("TERM", "xterm-ghostty", .ghostty),
    ("TERM", "foot", .foot),
    ("TERM", "alacritty", .alacritty),
    ("TERM_PROGRAM", "ghostty", .ghostty),
    ("TERM_PROGRAM", "WezTerm", .wezterm),
    ("TERM_PROGRAM", "iTerm.app", .iterm2),
    ("TERM_PROGRAM", "vscode", .vscode),
    ("TERM_PROGRAM", "mintty", .mintty),
    ("LC_TERMINAL", "iTerm2", .iterm2),
    ("KITTY_WINDOW_ID", "", .kitty),
    ("GHOSTTY_RESOURCES_DIR", "", .ghostty),
    ("WEZTERM_PANE", "", .wezterm),
    ("KONSOLE_VERSION", "", .konsole),
    ("WT_SESSION", "", .windowsTerminal),
    ("ALACRITTY_WINDOW_ID", "", .alacritty),
    ("VTE_VERSION", "", .vte),
    ("XTERM_VERSION", "", .xterm),
  ]
}
