/// What the terminal shows of pictures that are painted over its cells: the one place that knows.
///
/// Painting leaves no trace in the cells, so text that is written there later covers the picture, and
/// so may text that is written again beside it. Whoever writes reports that here; what is then missing
/// of a frame is painted again.
struct PicturePlacements {
  /// A part of a picture to be painted.
  struct Paint: Hashable {
    let serial: UInt32
    /// Which of the picture's cells.
    let part: CellRect
    /// Where its top left cell lies on the screen.
    let point: CellPoint
  }

  private var size = CellSize.zero
  /// The piece that each cell shows, row by row; empty where it shows its text.
  private var painted: [Glyph] = []

  /// The whole screen was cleared.
  mutating func reset(size: CellSize) {
    self.size = size
    painted = [Glyph](repeating: .empty, count: size.count)
  }

  /// Text was written over cells of a row, or may have been.
  mutating func didWrite(_ columns: Range<Int>, row: Int) {
    for column in columns { painted[row * size.columns + column] = .empty }
  }

  mutating func didPaint(_ paint: Paint) {
    for row in 0..<paint.part.rows {
      for column in 0..<paint.part.columns {
        let piece = PicturePiece(
          serial: paint.serial, column: paint.part.minColumn + column,
          row: paint.part.minRow + row)
        let place = (paint.point.row + row) * size.columns + paint.point.column + column
        painted[place] = Glyph(piece)
      }
    }
  }

  /// The parts of pictures that a canvas has and the screen lacks.
  ///
  /// The last row is left out: a picture that ends there would scroll the screen.
  func missing(in canvas: Canvas) -> [Paint] {
    guard !canvas.pictures.isEmpty, canvas.size == size else { return [] }
    var isSeen = [Bool](repeating: false, count: size.count)
    var paints: [Paint] = []
    for row in 0..<max(0, size.rows - 1) {
      for column in 0..<size.columns where !isSeen[row * size.columns + column] {
        let point = CellPoint(column: column, row: row)
        guard let piece = canvas[point].glyph.piece else { continue }
        let part = part(of: piece, at: point, in: canvas)
        if take(part, at: point, in: canvas, &isSeen) {
          paints.append(Paint(serial: piece.serial, part: part, point: point))
        }
      }
    }
    return paints
  }

  /// The largest run of pieces to the right of one, and as many such runs below it as there are.
  private func part(of piece: PicturePiece, at point: CellPoint, in canvas: Canvas) -> CellRect {
    func isPiece(_ columns: Int, _ rows: Int) -> Bool {
      let place = point.moved(columns: columns, rows: rows)
      guard place.column < size.columns, place.row < size.rows - 1 else { return false }
      let expected = PicturePiece(
        serial: piece.serial, column: piece.column + columns, row: piece.row + rows)
      return canvas[place].glyph == Glyph(expected)
    }
    var columns = 1
    while isPiece(columns, 0) { columns += 1 }
    var rows = 1
    while (0..<columns).allSatisfy({ isPiece($0, rows) }) { rows += 1 }
    return CellRect(column: piece.column, row: piece.row, columns: columns, rows: rows)
  }

  /// Marks the cells of a part as seen.
  ///
  /// - Returns: whether one of them does not show its piece.
  private func take(
    _ part: CellRect, at point: CellPoint, in canvas: Canvas, _ isSeen: inout [Bool]
  ) -> Bool {
    var isMissing = false
    for row in point.row..<point.row + part.rows {
      for column in point.column..<point.column + part.columns {
        let place = row * size.columns + column
        isSeen[place] = true
        if painted[place] != canvas.cells[place].glyph { isMissing = true }
      }
    }
    return isMissing
  }
}
