internal import TerminalKit

extension Canvas {
  /// Draws the ground of a selected line and the bar at its left, where the cursor is parked.
  mutating func markSelected(_ line: CellRect, _ theme: Theme) {
    fill(line, style: theme.selected(theme.text))
    put(.selectionBar, at: line.origin, style: theme.selected(theme.accent))
    setCursor(at: line.origin, isVisible: false)
  }
}
