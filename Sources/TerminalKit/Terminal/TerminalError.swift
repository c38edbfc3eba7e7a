/// Why no screen can be opened.
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
