internal import CNcurses

/// Painter of cells into the ncurses window, in the terminal's characters and colours.
struct CellPainter {
  let window: NcursesWindow
  private var encoder: CellEncoder
  private var pairs: PairPainter

  init(in window: NcursesWindow, of size: CellSize, _ capabilities: TerminalCapabilities) {
    self.window = window
    encoder = CellEncoder(capabilities)
    pairs = PairPainter(depth: window.colorDepth, lastPair: window.lastPair)
    pairs.resize(to: size)
  }

  /// Whether symbols are shown in ASCII.
  var hasASCIISymbols: Bool {
    get { encoder.hasASCIISymbols }
    set { encoder.hasASCIISymbols = newValue }
  }

  /// Whether East Asian ambiguous characters are shown as narrow ones.
  var replacesAmbiguous: Bool {
    get { encoder.replacesAmbiguous }
    set { encoder.replacesAmbiguous = newValue }
  }

  mutating func resize(to size: CellSize) {
    window.resize(to: size)
    pairs.resize(to: size)
  }

  /// Records that the terminal received all cells put so far.
  mutating func didRefresh() { pairs.didRefresh() }

  /// Moves rows of a panel; `moved` is the canvas that the terminal shows afterwards.
  ///
  /// - Returns: the bytes of the move.
  mutating func move(
    _ move: MarginScroll, to moved: Canvas, over channel: PictureChannel
  ) -> [UInt8] {
    let (rows, columns) = (
      move.panel.minRow..<move.panel.maxRow, move.panel.minColumn..<move.panel.maxColumn
    )
    if move.isWhole(of: moved.size) {
      pairs.move(move)
      return window.scroll(rows, by: move.rows)
    }
    window.forget(move.panel)
    for row in rows { assume(row, columns, of: moved, over: channel) }
    return move.bytes
  }

  /// Puts columns of a row, with the cells that the picture channel gives for pictures.
  mutating func put(
    _ row: Int, _ columns: Range<Int>, of canvas: Canvas, over channel: PictureChannel
  ) {
    let window = window
    encode(row, columns, of: canvas, over: channel) { window.put($0, at: $1) }
  }

  /// Tells ncurses that the terminal shows these cells already.
  private mutating func assume(
    _ row: Int, _ columns: Range<Int>, of canvas: Canvas, over channel: PictureChannel
  ) {
    let window = window
    encode(row, columns, of: canvas, over: channel) { window.assume($0, at: $1) }
  }

  /// Encodes cells and marks their colour pairs as used.
  private mutating func encode(
    _ row: Int, _ columns: Range<Int>, of canvas: Canvas, over channel: PictureChannel,
    _ body: (UnsafeBufferPointer<cchar_t>, CellPoint) -> Void
  ) {
    let start = CellPoint(column: columns.lowerBound, row: row)
    withUnsafeTemporaryAllocation(of: cchar_t.self, capacity: canvas.size.columns) { cells in
      var count = 0
      var before: Cell?
      for position in canvas.indices(columns, ofRow: row) {
        let cell = channel.cell(for: canvas.cells[position]).lookingAlike(before?.style ?? .plain)
        defer { before = cell }
        guard !cell.isRightHalf else {
          pairs.repeatLast(at: position)
          continue
        }
        // Fast path, since most cells are blanks beside blanks.
        if cell == before, count > 0 {
          pairs.repeatLast(at: position)
          cells.initializeElement(at: count, to: cells[count - 1])
          count += 1
          continue
        }
        let pair = pairs.pair(for: cell.style, at: position, in: window)
        encoder.encode(cell, pair: pair) {
          cells.initializeElement(at: count, to: $0)
          count += 1
        }
      }
      body(UnsafeBufferPointer(rebasing: cells[..<count]), start)
    }
  }
}
