/// Pictures that are painted over the cells after each frame: sixel and inline pictures.
struct PaintChannel {
  private var placements = PicturePlacements()

  /// What ncurses keeps in the cells of pictures: a blank that nothing else looks like, so that it
  /// never takes one for the blank of a text, which must be written to cover the picture.
  static let blank = Cell(
    Glyph("\u{A0}"), style: Style(attributes: [.bold, .dim]))

  /// Equal cells up to so many may be written again between two that differ, since that costs fewer
  /// bytes than to step over them.
  private static let longestRewrite = 16

  mutating func reset(size: CellSize) { placements.reset(size: size) }

  /// Learns which cells of a row ncurses will write.
  ///
  /// - Parameters:
  ///   - row: the row.
  ///   - differs: whether the cell in a column is another for ncurses than before.
  ///   - columns: the columns that may differ.
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

  /// What paints the missing parts of pictures, up to about `budget` bytes and at least one.
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
