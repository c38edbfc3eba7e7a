/// Channel of pictures that are painted over the cells after each frame: sixel and inline pictures.
struct PaintChannel {
  private var placements = PicturePlacements()

  /// The cell that ncurses keeps for those of pictures: a blank that nothing else looks like, so
  /// that it never takes one for the blank of a text, which must be written to cover the picture.
  static let blank = Cell(
    Glyph("\u{A0}"), style: Style(attributes: [.bold, .dim]))

  /// Equal cells up to so many may be written again between two that differ, since that costs fewer
  /// bytes than to step over them.
  private static let longestRewrite = 16

  mutating func reset(size: CellSize) { placements.reset(size: size) }

  /// Learns which cells of a row ncurses will write: of those in `columns` the ones that differ for
  /// it from before.
  mutating func willWrite(row: Int, where differs: (Int) -> Bool, in columns: Range<Int>) {
    var run: Range<Int>?
    for column in columns where differs(column) {
      if let known = run, column - known.upperBound > Self.longestRewrite {
        placements.didWrite(known, row: row)
        run = column..<column + 1
      } else {
        run = (run?.lowerBound ?? column)..<column + 1
      }
    }
    if let run { placements.didWrite(run, row: row) }
  }

  /// The bytes that paint the missing parts of pictures, up to about `budget` and at least one
  /// part.
  mutating func end(_ canvas: Canvas, budget: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    for paint in placements.missing(in: canvas) {
      guard bytes.count < budget, let picture = canvas.pictures[paint.serial] else { break }
      let place = "\u{1B}[\(paint.point.row + 1);\(paint.point.column + 1)H"
      bytes += Array(place.utf8) + Self.bytes(of: paint.part, picture)
      placements.didPaint(paint)
    }
    guard !bytes.isEmpty else { return [] }
    // The cursor goes back to where ncurses believes it to be.
    return Array("\u{1B}7\u{1B}[0m".utf8) + bytes + Array("\u{1B}8".utf8)
  }

  /// Whether parts of pictures are still to be painted.
  func isIncomplete(_ canvas: Canvas) -> Bool { !placements.missing(in: canvas).isEmpty }

  private static func bytes(of part: CellRect, _ picture: TerminalPicture) -> [UInt8] {
    switch picture.content {
    case .kitty: []
    case .sixel(let sixel): sixel.bytes(of: part)
    case .inline(let inline):
      inline.bytes(of: part == CellRect(size: picture.size) ? nil : part, size: picture.size)
    }
  }
}

/// Map of what the terminal shows of pictures that are painted over its cells: the one place that
/// knows.
///
/// Painting leaves no trace in the cells, so text that is written there later covers the picture,
/// and so may text that is written again beside it. Whoever writes reports that here; what is then
/// missing of a frame is painted again.
private struct PicturePlacements {
  /// Part of a picture to be painted.
  struct Paint: Hashable {
    let serial: UInt32
    /// The cells within the picture.
    let part: CellRect
    /// The place of its top left cell on the screen.
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

  /// Marks the cells of a part as seen; true where one of them does not show its piece.
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
