import Glibc

/// Capabilities of the opened terminal.
package struct TerminalCapabilities: Hashable, Sendable {
  /// Character encoding.
  package enum Encoding: Hashable, Sendable {
    case utf8
    /// The user's locale is not UTF-8; another UTF-8 locale is used.
    case assumedUTF8
    /// There is no UTF-8 locale; only ASCII is shown.
    case ascii
  }

  /// Colour depth and its source.
  package let colors: ColorCapability
  /// Whether text can be struck through; if not, an old price needs another mark.
  package let canStrikeThrough: Bool
  package let encoding: Encoding
  package let entry: Entry

  /// Terminfo entry that is used for the terminal.
  package enum Entry: Hashable, Sendable {
    /// The entry of `TERM`.
    case system
    /// An embedded entry, for the xterm family.
    case own
    /// An embedded entry, because that of `TERM` was not found.
    case substitute
  }

  package var colorDepth: ColorDepth { colors.depth }
  /// Whether the entry of `TERM` or of its family was found; if not, xterm's is used.
  package var isKnown: Bool { entry != .substitute }

  package var isUTF8: Bool { encoding != .ascii }
}

/// Reason why a screen cannot be opened.
package enum TerminalError: Error, Hashable, Sendable {
  /// Input or output is a file or a pipe.
  case notATerminal
  /// The process is in the background, and no shell would stop and continue it.
  case inBackground
  /// `TERM` is not set.
  case unnamedTerminal
  /// The terminal cannot place a cursor, as `TERM=dumb` says.
  case tooSimple
  /// ncurses or the system refused, as for want of memory or descriptors.
  case unavailable
}

/// Character type part of the locale (LC_CTYPE), on which ncurses depends.
enum CharacterLocale {
  /// Activates the user's locale if it is UTF-8, else a UTF-8 locale of the system, else "C".
  static func activate() -> TerminalCapabilities.Encoding {
    for name in ["", "C.UTF-8", "en_US.UTF-8"] {
      guard setlocale(LC_CTYPE, name) != nil, let codeset = nl_langinfo(nl_item(CODESET)) else {
        continue
      }
      if String(cString: codeset) == "UTF-8" { return name.isEmpty ? .utf8 : .assumedUTF8 }
    }
    setlocale(LC_CTYPE, "C")
    return .ascii
  }
}
