/// A click or a turn of the wheel, at a cell.
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
