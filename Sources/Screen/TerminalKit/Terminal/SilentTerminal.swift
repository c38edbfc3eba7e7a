internal import CTerminalGuard
import Glibc

/// A terminal that shows nothing of what is typed, until it is given back (getpass(3)).
///
/// Signals that kill give it back as well, and the terminal edits the line as usual.
package struct SilentTerminal {
  /// Nil where the descriptor is no terminal.
  package init?(_ descriptor: Int32) {
    var modes = termios()
    guard tcgetattr(descriptor, &modes) == 0 else { return nil }
    _ = terminal_guard_arm(descriptor, &modes, [], 0)
    modes.c_lflag &= ~tcflag_t(ECHO)
    tcsetattr(descriptor, TCSAFLUSH, &modes)
  }

  package func giveBack() { terminal_guard_restore() }
}
