/// How a terminal erases painted pictures.
enum PictureErasure {
  /// Text that is written over a picture.
  case text
  /// Only kitty's command that deletes all pictures on the screen, as in Konsole.
  case command
}

/// Channel of pictures that are painted over the cells after each frame: sixel and inline pictures.
struct PaintChannel {
  let erasure: PictureErasure
  private var placements = PicturePlacements()
  /// Whether text was written over a picture that it does not erase.
  private var isStale = false

  /// Deletes all pictures on the screen (kitty's protocol).
  private static let deletion = Array("\u{1B}_Ga=d,q=2\u{1B}\\".utf8)

  init(erasing erasure: PictureErasure = .text) { self.erasure = erasure }

  /// Cell that ncurses stores where a picture is painted.
  ///
  /// It differs from the blanks of texts, so that ncurses writes those when they cover the picture.
  static let blank = Cell(
    Glyph("\u{A0}"), style: Style(attributes: [.bold, .dim]))

  /// Maximum equal cells between two differing ones that may be rewritten, because that needs fewer
  /// bytes than skipping them.
  private static let maxRewriteLength = 16

  /// Forgets all pictures after the screen was cleared or scrolled.
  mutating func reset(size: CellSize) {
    if erasure == .command, placements.hasPainted { isStale = true }
    placements.reset(size: size)
  }

  /// Records which cells of a row ncurses will write: those in `columns` that differ from the last
  /// frame.
  mutating func willWrite(row: Int, where differs: (Int) -> Bool, in columns: Range<Int>) {
    var run: Range<Int>?
    for column in columns where differs(column) {
      if let known = run, column - known.upperBound > Self.maxRewriteLength {
        didWrite(known, row: row)
        run = column..<column + 1
      } else {
        run = (run?.lowerBound ?? column)..<column + 1
      }
    }
    if let run { didWrite(run, row: row) }
  }

  private mutating func didWrite(_ columns: Range<Int>, row: Int) {
    if erasure == .command, placements.hasPainted(columns, row: row) { isStale = true }
    placements.didWrite(columns, row: row)
  }

  /// Whether pictures have to be erased before the frame is complete.
  var isErasing: Bool { isStale }

  /// Minimum bytes of a part into which a picture is divided.
  private static let smallestPart = 4_096

  /// Returns the bytes that paint missing parts of pictures, up to about `budget` and at least one row;
  /// on a slow connection drafts first.
  mutating func end(_ canvas: Canvas, budget: Int, isSlow: Bool) -> [UInt8] {
    var bytes: [UInt8] = []
    if isStale {
      isStale = false
      placements.reset(size: canvas.size)
      return Self.deletion + end(canvas, budget: budget, isSlow: isSlow)
    }
    paintMissing(asDrafts: isSlow, of: canvas, budget, &bytes)
    if bytes.isEmpty { paintMissing(asDrafts: false, of: canvas, budget, &bytes) }
    guard !bytes.isEmpty else { return [] }
    // ncurses assumes its own cursor position, so it is restored.
    return Array("\u{1B}7\u{1B}[0m".utf8) + bytes + Array("\u{1B}8".utf8)
  }

  private mutating func paintMissing(
    asDrafts: Bool, of canvas: Canvas, _ budget: Int, _ bytes: inout [UInt8]
  ) {
    for paint in placements.missing(in: canvas, countsDrafts: !asDrafts) {
      guard bytes.count < budget, let picture = canvas.pictures[paint.serial] else { break }
      let isDraft = asDrafts && picture.hasDraft
      let room = max(budget - bytes.count, Self.smallestPart)
      let part = paint.beginning(
        of: room, outOf: picture.byteCount(of: paint.part, isDraft: isDraft))
      let position = "\u{1B}[\(part.point.row + 1);\(part.point.column + 1)H"
      bytes +=
        Array(position.utf8)
        + picture.painting(of: part.part, isDraft: isDraft, ending: ending(of: part, in: paint))
      placements.didPaint(part, isDraft: isDraft)
    }
  }

  /// Returns the ending of a part that is painted of a greater one.
  private func ending(
    of part: PicturePlacements.Paint, in whole: PicturePlacements.Paint
  ) -> SixelPicture.Ending {
    guard erasure == .command else { return .exact }
    return part.part.maxRow < whole.part.maxRow ? .wholeBandsBeyond : .wholeBands
  }

  /// Whether parts of pictures are unpainted, or painted only as drafts.
  func isIncomplete(_ canvas: Canvas) -> Bool {
    isStale || !placements.missing(in: canvas, countsDrafts: true).isEmpty
  }
}

extension TerminalPicture {
  /// Whether the picture has a smaller version.
  fileprivate var hasDraft: Bool {
    if case .sixel(let sixel) = content { sixel.isWorthDraft } else { false }
  }

  /// Returns the estimated bytes of a part.
  fileprivate func byteCount(of part: CellRect, isDraft: Bool) -> Int {
    let whole =
      switch content {
      case .kitty: 0
      case .sixel(let sixel): sixel.wholeByteCount / (isDraft ? SixelPicture.draftSaving : 1)
      case .inline(let inline): inline.file.count
      }
    return whole * part.size.count / max(1, size.count)
  }

  /// Returns the bytes that paint a part at the cursor.
  fileprivate func painting(
    of part: CellRect, isDraft: Bool, ending: SixelPicture.Ending
  ) -> [UInt8] {
    switch content {
    case .kitty: []
    case .sixel(let sixel): sixel.bytes(of: part, isDraft: isDraft, ending: ending)
    case .inline(let inline):
      inline.bytes(of: part == CellRect(size: size) ? nil : part, size: size)
    }
  }
}

/// Record of the pictures that the terminal shows over its cells.
///
/// Painting leaves no trace in ncurses' cells, so text written there later covers the picture, and so
/// may text rewritten beside it. Each write must be recorded here; the missing parts of a frame are
/// painted again.
private struct PicturePlacements {
  /// Part of a picture to be painted.
  struct Paint: Hashable {
    let serial: UInt32
    /// Cells within the picture.
    let part: CellRect
    /// Position of the part's top left cell on the screen.
    let point: CellPoint

    /// Returns the part without its upper `rows`.
    func dropping(rows: Int) -> Paint {
      let lower = CellRect(
        column: part.minColumn, row: part.minRow + rows, columns: part.columns,
        rows: part.rows - rows)
      return Paint(serial: serial, part: lower, point: point.moved(rows: rows))
    }

    /// Returns the upper rows that fit into `room` bytes of `count`, at least one.
    func beginning(of room: Int, outOf count: Int) -> Paint {
      guard count > room else { return self }
      let rows = max(1, part.rows * room / count)
      let upper = CellRect(
        column: part.minColumn, row: part.minRow, columns: part.columns, rows: rows)
      return Paint(serial: serial, part: upper, point: point)
    }
  }

  private var size = CellSize.zero
  /// Piece that each cell shows, row by row; empty where the cell shows text.
  private var painted: [Glyph] = []
  /// Whether each cell's piece is a draft.
  private var drafted: [Bool] = []

  /// Forgets all pieces; call when the screen was cleared.
  mutating func reset(size: CellSize) {
    self.size = size
    painted = [Glyph](repeating: .empty, count: size.count)
    drafted = [Bool](repeating: false, count: size.count)
  }

  var hasPainted: Bool { painted.contains { $0.piece != nil } }

  func hasPainted(_ columns: Range<Int>, row: Int) -> Bool {
    columns.contains { painted[row * size.columns + $0].piece != nil }
  }

  /// Records that text was, or may have been, written over cells of a row.
  mutating func didWrite(_ columns: Range<Int>, row: Int) {
    for column in columns { painted[row * size.columns + column] = .empty }
  }

  mutating func didPaint(_ paint: Paint, isDraft: Bool) {
    for row in 0..<paint.part.rows {
      for column in 0..<paint.part.columns {
        let piece = PicturePiece(
          serial: paint.serial, column: paint.part.minColumn + column,
          row: paint.part.minRow + row)
        let position = (paint.point.row + row) * size.columns + paint.point.column + column
        painted[position] = Glyph(piece)
        drafted[position] = isDraft
      }
    }
  }

  /// Returns the parts of pictures that a canvas has and the screen lacks; with `countsDrafts`, also
  /// those painted as drafts.
  ///
  /// The last row is left out, because a picture that ends there would scroll the screen.
  func missing(in canvas: Canvas, countsDrafts: Bool) -> [Paint] {
    guard !canvas.pictures.isEmpty, canvas.size == size else { return [] }
    var isSeen = [Bool](repeating: false, count: size.count)
    var paints: [Paint] = []
    for row in 0..<max(0, size.rows - 1) {
      for column in 0..<size.columns where !isSeen[row * size.columns + column] {
        let point = CellPoint(column: column, row: row)
        guard let piece = canvas[point].glyph.piece else { continue }
        let part = part(of: piece, at: point, in: canvas)
        if let shown = take(part, at: point, in: canvas, countsDrafts, &isSeen) {
          let paint = Paint(serial: piece.serial, part: part, point: point)
          paints.append(paint.dropping(rows: shown))
        }
      }
    }
    return paints
  }

  /// Returns the longest run of adjacent pieces from one to the right, with all equal runs below it.
  private func part(of piece: PicturePiece, at point: CellPoint, in canvas: Canvas) -> CellRect {
    func isPiece(_ columns: Int, _ rows: Int) -> Bool {
      let position = point.moved(columns: columns, rows: rows)
      guard position.column < size.columns, position.row < size.rows - 1 else { return false }
      let expected = PicturePiece(
        serial: piece.serial, column: piece.column + columns, row: piece.row + rows)
      return canvas[position].glyph == Glyph(expected)
    }
    var columns = 1
    while isPiece(columns, 0) { columns += 1 }
    var rows = 1
    while (0..<columns).allSatisfy({ isPiece($0, rows) }) { rows += 1 }
    return CellRect(column: piece.column, row: piece.row, columns: columns, rows: rows)
  }

  /// Marks the cells of a part as seen; returns how many of its upper rows are complete, nil where all
  /// are.
  private func take(
    _ part: CellRect, at point: CellPoint, in canvas: Canvas, _ countsDrafts: Bool,
    _ isSeen: inout [Bool]
  ) -> Int? {
    var shown: Int?
    for row in point.row..<point.row + part.rows {
      for column in point.column..<point.column + part.columns {
        let position = row * size.columns + column
        isSeen[position] = true
        if painted[position] != canvas.cells[position].glyph || countsDrafts && drafted[position] {
          shown = shown ?? row - point.row
        }
      }
    }
    return shown
  }
}
