import Glibc

/// Capabilities of the opened terminal.
package struct TerminalCapabilities: Hashable, Sendable {
  /// Encoding of characters.
  package enum Encoding: Hashable, Sendable {
    case utf8
    /// The user's locale does not say UTF-8, but there is one that does, and it is used.
    case assumedUTF8
    /// There is no UTF-8 locale, and only ASCII is shown.
    case ascii
  }

  /// The colours of text, and by what they are known.
  package let colors: ColorCapability
  /// Where it is false, an old price needs another mark than a line through it.
  package let canStrikeThrough: Bool
  package let encoding: Encoding
  package let entry: Entry

  /// Terminfo entry that the terminal is driven by.
  package enum Entry: Hashable, Sendable {
    /// That of `TERM`.
    case system
    /// One of the program's own, for the family of xterm.
    case own
    /// The same, because that of `TERM` was not found.
    case substitute
  }

  package var colorDepth: ColorDepth { colors.depth }
  /// Where it is false, the entry of `TERM` was not found and xterm's is used.
  package var isKnown: Bool { entry != .substitute }

  package var isUTF8: Bool { encoding != .ascii }
}

/// Reason why no screen can be opened.
package enum TerminalError: Error, Hashable, Sendable {
  /// Input or output is no terminal but a file or a pipe.
  case notATerminal
  /// `TERM` is not set.
  case unnamedTerminal
  /// The terminal cannot place a cursor, as `TERM=dumb` says of itself.
  case tooSimple
  /// ncurses or the system refused; memory or descriptors are short.
  case unavailable
}

/// Part of the locale that ncurses depends on: how characters are written.
enum CharacterLocale {
  /// Takes the user's locale, else the plain UTF-8 one.
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
