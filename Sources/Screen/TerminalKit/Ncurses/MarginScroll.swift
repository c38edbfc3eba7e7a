/// Move of the rows within some columns, beside which all stays where it is: what the terminal does
/// itself between left and right margins (DECSLRM), which ncurses does not know.
struct MarginScroll: Equatable {
  let panel: CellRect
  /// By how many rows up; down where it is negative.
  let rows: Int

  /// No single step moves more rows than this.
  private static let farthest = 8
  /// Rows that cost about as much as a move.
  private static let minSpared = 4

  init(panel: CellRect, rows: Int) {
    self.panel = panel
    self.rows = rows
  }

  /// The move that brings one frame nearest to the next; nil where none spares enough rows.
  init?(from old: Canvas, to new: Canvas) {
    guard let panel = new.panel, panel == old.panel, old.size == new.size,
      panel.columns > 1, panel.columns < new.size.columns, panel.rows > 1
    else { return nil }
    func equalRows(_ rows: Int) -> Int {
      (panel.minRow..<panel.maxRow).count { row in
        panel.minRow..<panel.maxRow ~= row + rows
          && new.isEqual(row: row, toRow: row + rows, of: old, in: panel)
      }
    }
    let standing = equalRows(0)
    guard standing < panel.rows else { return nil }
    let distances = (1...min(Self.farthest, panel.rows - 1)).flatMap { [$0, -$0] }
    let moves = distances.map { (rows: $0, equal: equalRows($0)) }
    guard let best = moves.max(by: { $0.equal < $1.equal }),
      best.equal >= standing + Self.minSpared, !old.isCut(by: panel), !new.isCut(by: panel)
    else { return nil }
    self.init(panel: panel, rows: best.rows)
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
