import Glibc
internal import SafeTextKit
internal import TextCoding

/// Terminal modes that the program sets beside those of ncurses, with the commands that reset them.
enum TerminalModes {
  /// Sets bracketed paste and focus reports.
  static let on = Array("\u{1B}[?2004h\u{1B}[?1004h".utf8)
  /// Resets all modes that may be set.
  static let off = Array("\u{1B}[?1004l\u{1B}[?1006l\u{1B}[?1002l\u{1B}[?2004l".utf8)
  /// Sets mouse reports of clicks, drags and the wheel (modes 1002 and 1006).
  static let mouseOn = Array("\u{1B}[?1002h\u{1B}[?1006h".utf8)
  static let mouseOff = Array("\u{1B}[?1006l\u{1B}[?1002l".utf8)
  /// Begins a synchronized update (mode 2026); a terminal that supports it shows the frame at once.
  static let frameBegins = Array("\u{1B}[?2026h".utf8)
  static let frameEnds = Array("\u{1B}[?2026l".utf8)
  /// Ends a truncated control string (ST of ECMA-48).
  static let stringEnds = Array("\u{1B}\\".utf8)
  /// Queries for name and version (XTVERSION) and cell size, which no terminal prints.
  static let firstQuestions = Array("\u{1B}[>0q\u{1B}[16t".utf8)
  /// Query for the background (OSC 11).
  static let backgroundQuestion = Array("\u{1B}]11;?\u{1B}\\".utf8)
  /// Modes that are set where the terminal reports them as reset (DECRQM), and reset at the end: ESC
  /// before a letter with Alt or Meta, which xterm else sends as another letter, and reports of another
  /// colour scheme.
  static let wanted = [1036, 1039, 2031]

  /// Returns the queries of the second round, for a terminal that ignores control strings that it does
  /// not know: colours with `asksColors`, pictures as the variables suggest, and modes with
  /// `asksModes`.
  ///
  /// tmux passes kitty's query on.
  static func secondQuestions(
    _ environment: TerminalEnvironment, asksColors: Bool, asksModes: Bool
  ) -> [UInt8] {
    var questions: [UInt8] = []
    if asksColors { questions += ColorQuery.bytes }
    if environment.isInsideTmux {
      questions += KittyCommand.question(.tmux)
    } else if environment.reportedBrand == nil {
      switch environment.brand?.pictures {
      case .kitty: questions += KittyCommand.question(.direct)
      case .inline: questions += Array("\u{1B}]1337;ReportCellSize\u{1B}\\".utf8)
      default: break
      }
    }
    guard asksModes else { return questions }
    return wanted.reduce(questions + MarginScroll.question) { $0 + Array("\u{1B}[?\($1)$p".utf8) }
  }

  /// Returns the command that sets or resets a mode.
  static func setting(_ mode: Int, to isSet: Bool) -> [UInt8] {
    Array("\u{1B}[?\(mode)\(isSet ? "h" : "l")".utf8)
  }

  /// Query that every terminal answers, after all earlier ones (DA1).
  static let lastQuestion = Array("\u{1B}[c".utf8)
  /// Query that the terminal answers once it has processed all earlier bytes (DSR 5).
  static let statusQuestion = Array("\u{1B}[5n".utf8)
  /// Sets 256 colours for sixel pictures, which also queries their number (XTSMGRAPHICS).
  static let moreSixelColors = Array("\u{1B}[?1;3;256S".utf8)

  /// Returns raw modes: input bytes arrive as typed, output bytes are unchanged.
  ///
  /// Signal keys are off too: pasted text may contain them, and they must keep their order among other
  /// keys.
  static func raw(from modes: termios) -> termios {
    var raw = modes
    cfmakeraw(&raw)
    return raw
  }
}

/// Clipboard of the terminal (OSC 52 of xterm's ctlseqs), which also works over ssh; the terminal does
/// not report whether it allows it.
enum Clipboard {
  /// Maximum columns of a text, beyond which it is cut; some terminals drop much longer commands.
  private static let longest = 2_000

  /// Returns the command that puts a text on the clipboard.
  static func taking(_ text: SafeText, _ wrapper: Passthrough) -> [UInt8] {
    let encoded = Base64.encode(Array(text.truncated(toColumns: longest).string.utf8))
    var bytes: [UInt8] = []
    wrapper.append(Array("\u{1B}]52;c;".utf8) + encoded + Array("\u{1B}\\".utf8), to: &bytes)
    return bytes
  }
}
