import Glibc
internal import SafeTextKit
internal import TextCoding

/// Modes that the program switches on beside those of ncurses, and how all are undone.
enum TerminalModes {
  /// Bracketed paste and focus.
  static let on = Array("\u{1B}[?2004h\u{1B}[?1004h".utf8)
  /// All that may be on.
  static let off = Array("\u{1B}[?1004l\u{1B}[?1006l\u{1B}[?1002l\u{1B}[?2004l".utf8)
  /// Clicks, moves with a button down and the wheel, with places in decimal numbers.
  static let mouseOn = Array("\u{1B}[?1002h\u{1B}[?1006h".utf8)
  static let mouseOff = Array("\u{1B}[?1006l\u{1B}[?1002l".utf8)
  /// Terminals that know it show what comes between the two marks at once.
  static let frameBegins = Array("\u{1B}[?2026h".utf8)
  static let frameEnds = Array("\u{1B}[?2026l".utf8)
  /// Ends a string that was cut off within (ST of ECMA-48).
  static let stringEnds = Array("\u{1B}\\".utf8)
  /// Asks for name and version (XTVERSION), the size of a cell and the background, and last what every
  /// terminal answers (DA1): after its answer none is outstanding.
  ///
  /// Colours are asked for where more may be known than the environment says. Some terminals print
  /// kitty's question, so it goes only to those that say they are of its kind,
  /// and through tmux, which keeps it from them.
  static func questions(_ environment: TerminalEnvironment, asksColors: Bool) -> [UInt8] {
    var questions = Array("\u{1B}[>0q".utf8)
    if asksColors { questions += ColorQuery.bytes }
    if environment.isInsideTmux {
      questions += KittyCommand.question(.tmux)
    } else if environment.brand?.pictures == .kitty {
      questions += KittyCommand.question(.direct)
    }
    return questions + Array("\u{1B}[16t\u{1B}]11;?\u{1B}\\".utf8) + lastQuestion
  }
  /// The question that every terminal answers, after all that came before (DA1).
  static let lastQuestion = Array("\u{1B}[c".utf8)
  /// The question whether the terminal is well, which it answers when it has taken all before (DSR 5).
  static let statusQuestion = Array("\u{1B}[5n".utf8)
  /// Asks for 256 colours in sixel pictures, and so how many there are (XTSMGRAPHICS).
  static let moreSixelColors = Array("\u{1B}[?1;3;256S".utf8)

  /// Modes in which each byte arrives as it was typed, and none is changed on its way out.
  ///
  /// Keys that send signals are off as well: pasted text may hold them, and they must keep their place
  /// among other keys.
  static func raw(from modes: termios) -> termios {
    var raw = modes
    cfmakeraw(&raw)
    return raw
  }
}

/// Clipboard of the terminal (OSC 52 of xterm's ctlseqs), which also works where the program runs
/// on another machine; nobody answers whether the terminal allows it.
enum Clipboard {
  /// Columns of a text at most; some terminals drop commands that are much longer.
  private static let longest = 2_000

  /// The command that puts a text on the clipboard.
  static func taking(_ text: SafeText, _ wrapper: Passthrough) -> [UInt8] {
    let encoded = Base64.encode(Array(text.truncated(toColumns: longest).string.utf8))
    var bytes: [UInt8] = []
    wrapper.append(Array("\u{1B}]52;c;".utf8) + encoded + Array("\u{1B}\\".utf8), to: &bytes)
    return bytes
  }
}
