/// Scroll of a panel's rows by the terminal itself; with left and right margins (DECSLRM), which
/// ncurses does not know, where the panel is narrower than the screen.
struct MarginScroll: Equatable {
  let panel: CellRect
  /// Rows to move up; down where negative.
  let rows: Int

  /// Minimum cells that a move must save; it costs about as much.
  private static let minSpared = 32

  init(panel: CellRect, rows: Int) {
    self.panel = panel
    self.rows = rows
  }

  /// Whether the panel is as wide as the screen.
  func isWhole(of size: CellSize) -> Bool { panel.columns == size.columns }

  /// Returns the move from one frame to the next; nil where it saves too few cells.
  init?(from old: Canvas, to new: Canvas) {
    guard let panel = new.panel, panel == old.panel, old.size == new.size, panel.columns > 1 else {
      return nil
    }
    self.init(panel: panel, rows: new.panelLine - old.panelLine)
    // ncurses ignores a move that leaves fewer rows than it moves.
    guard rows != 0, panel.rows >= 2 * abs(rows), !old.isCut(by: panel), !new.isCut(by: panel)
    else { return nil }
    let moved = new.equalCells(movedBy: rows, of: old, in: panel)
    let standing = new.equalCells(movedBy: 0, of: old, in: panel)
    guard moved >= standing + Self.minSpared else { return nil }
  }

  /// Commands of the move; margins, cursor and attributes are restored.
  var bytes: [UInt8] {
    let (top, bottom) = (panel.minRow + 1, panel.maxRow)
    let (left, right) = (panel.minColumn + 1, panel.maxColumn)
    let scrolling = rows > 0 ? "\(rows)S" : "\(-rows)T"
    return Array(
      ("\u{1B}7\u{1B}[m\u{1B}[?69h\u{1B}[\(top);\(bottom)r\u{1B}[\(left);\(right)s\u{1B}[\(scrolling)"
        + "\u{1B}[?69l\u{1B}[r\u{1B}8").utf8)
  }

  /// Query whether the terminal has left and right margins (DECRQM).
  static let question = Array("\u{1B}[?69$p".utf8)
  /// Mode number of the margins (DECLRMM).
  static let mode = 69
  /// Removes the margins after a frame that was cut off.
  static let ending = Array("\u{1B}[?69l\u{1B}[r".utf8)
}
