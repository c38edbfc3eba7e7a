/// Something that the terminal told the program.
package enum InputEvent: Hashable, Sendable {
  case key(KeyPress)
  /// Text that was pasted as a whole: newlines are `\n`, other control characters are left out.
  case paste(String)
  case mouse(MouseEvent)
  /// Whether the terminal's window has the keyboard now.
  case focus(Bool)
  /// An answer of the terminal itself; never something that a person typed.
  case reply(TerminalReply)
}
