/// Move of the rows of a panel, which the terminal does itself: between left and right margins
/// (DECSLRM), which ncurses does not know, where something stands beside it.
struct MarginScroll: Equatable {
  let panel: CellRect
  /// By how many rows up; down where it is negative.
  let rows: Int

  /// Cells that cost about as much as a move.
  private static let minSpared = 32

  init(panel: CellRect, rows: Int) {
    self.panel = panel
    self.rows = rows
  }

  /// Whether nothing stands beside the panel.
  func isWhole(of size: CellSize) -> Bool { panel.columns == size.columns }

  /// The move from one frame to the next; nil where it spares too few cells.
  init?(from old: Canvas, to new: Canvas) {
    guard let panel = new.panel, panel == old.panel, old.size == new.size, panel.columns > 1 else {
      return nil
    }
    self.init(panel: panel, rows: new.panelLine - old.panelLine)
    // ncurses takes no move that leaves less than it moves.
    guard rows != 0, panel.rows >= 2 * abs(rows), !old.isCut(by: panel), !new.isCut(by: panel)
    else { return nil }
    let moved = new.equalCells(movedBy: rows, of: old, in: panel)
    let standing = new.equalCells(movedBy: 0, of: old, in: panel)
    guard moved >= standing + Self.minSpared else { return nil }
  }

  /// The commands of the move, after which margins, cursor and look are what they were.
  var bytes: [UInt8] {
    let (top, bottom) = (panel.minRow + 1, panel.maxRow)
    let (left, right) = (panel.minColumn + 1, panel.maxColumn)
    let scrolling = rows > 0 ? "\(rows)S" : "\(-rows)T"
    return Array(
      ("\u{1B}7\u{1B}[m\u{1B}[?69h\u{1B}[\(top);\(bottom)r\u{1B}[\(left);\(right)s\u{1B}[\(scrolling)"
        + "\u{1B}[?69l\u{1B}[r\u{1B}8").utf8)
  }

  /// Asks whether the terminal has left and right margins (DECRQM).
  static let question = Array("\u{1B}[?69$p".utf8)
  /// The mode of which that is the state (DECLRMM).
  static let mode = 69
  /// Takes the margins away, where a frame was cut off.
  static let ending = Array("\u{1B}[?69l\u{1B}[r".utf8)
}
