/// Breaks a text into rows, character by character.
struct RowBreaker {
  private let width: Int
  private var rows: [TextLayout.Row] = []
  private var start = 0

  /// Cells taken since `start`.
  private var used = 0

  /// The place behind the last space of the row, and the cells taken up to it.
  private var lastBreak: (place: Int, used: Int)?

  static func rows(of cells: RowCells) -> [TextLayout.Row] {
    var breaker = RowBreaker(width: cells.width)
    for place in cells.characters.indices {
      if cells.characters[place].isNewline {
        breaker.endRow(at: place, endsLine: true, next: place + 1)
      } else {
        breaker.add(
          place, columns: cells.columns(at: place), isSpace: cells.characters[place] == " ")
      }
    }
    breaker.endRow(at: cells.characters.count, endsLine: true, next: 0)
    return breaker.rows
  }

  private init(width: Int) {
    self.width = width
  }

  private mutating func add(_ place: Int, columns: Int, isSpace: Bool) {
    if isSpace, used == width {
      return endRow(at: place + 1, endsLine: false, next: place + 1)
    }
    while used + columns > width {
      let taken = used
      let end = lastBreak ?? (place, taken)
      endRow(at: end.place, endsLine: false, next: end.place)
      used = taken - end.used
    }
    used += columns
    if isSpace { lastBreak = (place + 1, used) }
  }

  private mutating func endRow(at end: Int, endsLine: Bool, next: Int) {
    rows.append(TextLayout.Row(range: start..<end, endsLine: endsLine))
    start = next
    used = 0
    lastBreak = nil
  }
}
