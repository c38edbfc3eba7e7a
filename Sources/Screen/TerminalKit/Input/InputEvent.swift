/// Event that the terminal reports.
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

/// Click or turn of the wheel, at a cell.
package struct MouseEvent: Hashable, Sendable {
  package enum Action: Hashable, Sendable {
    /// The left button went down.
    case press
    /// The left button came up.
    case release
    case wheelUp
    case wheelDown
  }

  package let action: Action
  package let point: CellPoint
  package let modifiers: KeyPress.Modifiers

  package init(_ action: Action, at point: CellPoint, modifiers: KeyPress.Modifiers = []) {
    self.action = action
    self.point = point
    self.modifiers = modifiers
  }
}
