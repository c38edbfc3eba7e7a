/// Where the terminal's cursor rests after a frame.
///
/// It is visible in a text field. Elsewhere it is hidden, but still parked on what is selected, since
/// screen readers and input methods follow it.
package struct Cursor: Hashable, Sendable {
  package let point: CellPoint
  package let isVisible: Bool

  package init(point: CellPoint, isVisible: Bool) {
    self.point = point
    self.isVisible = isVisible
  }
}
