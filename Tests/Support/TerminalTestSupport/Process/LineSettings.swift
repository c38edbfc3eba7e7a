import Glibc

/// What a shell needs of the line discipline to be usable (termios(3)).
package struct LineSettings: Hashable, Sendable {
  /// Lines are edited and handed over whole.
  package let isCanonical: Bool
  package let echoes: Bool
  /// Ctrl-C and Ctrl-Z send signals.
  package let sendsSignals: Bool
  /// A new line on output also returns to the first column.
  package let translatesNewlines: Bool

  init(_ settings: termios) {
    isCanonical = settings.c_lflag & tcflag_t(ICANON) != 0
    echoes = settings.c_lflag & tcflag_t(ECHO) != 0
    sendsSignals = settings.c_lflag & tcflag_t(ISIG) != 0
    translatesNewlines = settings.c_oflag & tcflag_t(OPOST) != 0
  }
}
