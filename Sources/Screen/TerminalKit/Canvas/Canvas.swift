package import SafeTextKit

/// Frame being drawn: a grid of cells that clips every write and keeps wide characters whole.
///
/// A wide glyph is either there with both halves or not at all: writing over one half blanks the
/// other, and one that does not fit before the clipping edge becomes a blank. Coordinates are
/// relative to the innermost `clipped(to:draw:)`.
package struct Canvas: Hashable, Sendable {
  package let size: CellSize
  /// Rows top to bottom, `size.columns` cells each.
  package private(set) var cells: [Cell]
  /// In the coordinates of the whole canvas; nil leaves the cursor hidden in the corner.
  package private(set) var cursor: Cursor?
  /// The pictures of which pieces were drawn, by their serial numbers.
  package private(set) var pictures: [UInt32: TerminalPicture] = [:]

  /// Whether it takes text alone: no colours, attributes, frames, rules or shades, as screen readers
  /// and braille lines have no use for them.
  package let isLinear: Bool
  /// The links, in the coordinates of the whole canvas; where they overlap the later one counts.
  private(set) var links: [CanvasLink] = []
  /// The part whose rows move while others stay, in the coordinates of the whole canvas.
  private(set) var panel: CellRect?
  /// Which line of what moves is the panel's first one.
  private(set) var panelLine = 0

  /// The part that may be drawn on, in the coordinates of the whole canvas.
  private var clip: CellRect
  /// The point (0, 0) of the drawing coordinates, in those of the whole canvas.
  private var origin: CellPoint

  package init(size: CellSize, isLinear: Bool = false) {
    self.size = size
    self.isLinear = isLinear
    cells = [Cell](repeating: .blank, count: size.count)
    clip = CellRect(size: size)
    origin = .zero
  }

  /// All that the current coordinates may draw on, its origin included: what a view fills.
  package var bounds: CellRect { clip.offset(columns: -origin.column, rows: -origin.row) }

  /// Draws with `rect` as the whole world: its corner is (0, 0) and nothing outside is touched.
  package mutating func clipped(to rect: CellRect, draw: (inout Canvas) -> Void) {
    let outer = (clip, origin)
    origin = origin.moved(columns: rect.minColumn, rows: rect.minRow)
    clip = CellRect(origin: origin, size: rect.size).intersection(clip)
    draw(&self)
    (clip, origin) = outer
  }

  /// Writes one line of text from `point` to the right, up to the clipping edge.
  ///
  /// - Parameters:
  ///   - text: one line.
  ///   - point: where the first column goes; it may lie outside, and then only the rest shows.
  ///   - style: how it looks.
  ///   - maxColumns: where to stop; a wide character that would pass it is left out.
  /// - Returns: the columns that the written text takes, what was clipped included.
  @discardableResult
  package mutating func write(
    _ text: SafeText, at point: CellPoint, style: Style = .plain, maxColumns: Int = .max
  ) -> Int {
    var written = 0
    for cluster in text.clusters {
      guard written + cluster.columns <= maxColumns else { break }
      let position = CellPoint(column: point.column + written, row: point.row)
      put(
        Glyph(cluster.string.unicodeScalars), columns: cluster.columns, at: position, style: style)
      written += cluster.columns
    }
    return written
  }

  /// Puts one symbol of our own.
  package mutating func put(_ symbol: Symbol, at point: CellPoint, style: Style = .plain) {
    put(symbol.glyph, columns: 1, at: point, style: style)
  }

  /// Draws a picture with its top left corner at `point`, clipped like all else; what is drawn over it
  /// later covers it.
  package mutating func draw(_ picture: TerminalPicture, at point: CellPoint) {
    pictures[picture.serial] = picture
    cover(CellRect(origin: point, size: picture.size)) { column, row in
      Cell(
        Glyph(PicturePiece(serial: picture.serial, column: column, row: row)), style: .plain)
    }
  }

  /// Covers a rectangle with a symbol, by default with blanks.
  package mutating func fill(_ rect: CellRect, with symbol: Symbol = .space, style: Style) {
    forEachVisibleRow(of: rect) { canvas, row, columns in
      canvas.separate(columns, ofRow: row)
      let cell = canvas.isLinear ? Cell.blank : Cell(symbol.glyph, style: style)
      for index in canvas.indices(columns, ofRow: row) { canvas.cells[index] = cell }
    }
  }

  /// Covers a rectangle with cells of one column each, by their column and row in it.
  @inline(__always)
  mutating func cover(_ rect: CellRect, with cell: (_ column: Int, _ row: Int) -> Cell) {
    forEachVisibleRow(of: rect) { canvas, row, columns in
      canvas.separate(columns, ofRow: row)
      let (left, top) = (canvas.origin.column + rect.minColumn, canvas.origin.row + rect.minRow)
      for column in columns {
        canvas.cells[row * canvas.size.columns + column] = cell(column - left, row - top)
      }
    }
  }

  /// Changes how a rectangle looks and leaves what stands in it; a wide glyph goes with its left half.
  package mutating func restyle(_ rect: CellRect, _ change: (Style) -> Style) {
    guard !isLinear else { return }
    forEachVisibleRow(of: rect) { canvas, row, columns in
      for index in canvas.indices(columns, ofRow: row) where !canvas.cells[index].isRightHalf {
        let style = change(canvas.cells[index].style)
        canvas.cells[index] = canvas.cells[index].restyled(style)
        if canvas.cells[index].columns == 2 { canvas.cells[index + 1] = .rightHalf(style: style) }
      }
    }
  }

  /// Makes a link of what stands in the columns of a row; what is drawn there later is none.
  package mutating func link(_ rect: CellRect, to target: LinkTarget) {
    restyle(rect) { $0.adding(.link) }
    let visible = rect.offset(columns: origin.column, rows: origin.row).intersection(clip)
    if !visible.isEmpty { links.append(CanvasLink(rect: visible, target: target)) }
  }

  /// Says that the rows of a part move together while others stay, and which line is its first one.
  package mutating func markPanel(_ rect: CellRect, line: Int) {
    panel = rect.offset(columns: origin.column, rows: origin.row).intersection(clip)
    panelLine = line
  }

  /// Places the cursor; outside the clipping it is not moved.
  package mutating func setCursor(at point: CellPoint, isVisible: Bool) {
    let position = point.moved(columns: origin.column, rows: origin.row)
    guard clip.contains(position) else { return }
    cursor = Cursor(point: position, isVisible: isVisible)
  }

  /// Shows the cursor where it is parked, or at `point` of the whole canvas where it is nowhere.
  package mutating func showCursor(orAt point: CellPoint) {
    cursor = Cursor(point: cursor?.point ?? point, isVisible: true)
  }

  /// The cell at a place of the whole canvas; a blank one outside.
  package subscript(point: CellPoint) -> Cell {
    guard CellRect(size: size).contains(point) else { return .blank }
    return cells[point.row * size.columns + point.column]
  }

  /// Puts one glyph, clipped; half of a wide one is never shown.
  mutating func put(_ glyph: Glyph, columns: Int, at point: CellPoint, style: Style) {
    let style = isLinear ? .plain : style
    let column = origin.column + point.column
    let row = origin.row + point.row
    guard row >= clip.minRow, row < clip.maxRow else { return }
    let start = max(column, clip.minColumn)
    let visible = start..<max(start, min(column + columns, clip.maxColumn))
    guard !visible.isEmpty else { return }
    separate(visible, ofRow: row)
    let index = row * size.columns + visible.lowerBound
    guard visible.count == columns else {
      cells[index] = Cell(.space, style: style)
      return
    }
    cells[index] = Cell(glyph, style: style, columns: Int8(columns))
    if columns == 2 { cells[index + 1] = .rightHalf(style: style) }
  }

  /// Blanks the halves outside `columns` of wide glyphs that the edges of `columns` cut through.
  private mutating func separate(_ columns: Range<Int>, ofRow row: Int) {
    let start = row * size.columns
    if cells[start + columns.lowerBound].isRightHalf {
      let left = start + columns.lowerBound - 1
      cells[left] = Cell(.space, style: cells[left].style)
    }
    if columns.upperBound < size.columns, cells[start + columns.upperBound].isRightHalf {
      let right = start + columns.upperBound
      cells[right] = Cell(.space, style: cells[right].style)
    }
  }

  func indices(_ columns: Range<Int>, ofRow row: Int) -> Range<Int> {
    let start = row * size.columns
    return start + columns.lowerBound..<start + columns.upperBound
  }

  /// The rows of a rectangle as they lie in `cells`; nil where that is empty or clipped.
  func indices(of rect: CellRect) -> [Range<Int>]? {
    let position = rect.offset(columns: origin.column, rows: origin.row)
    guard !position.isEmpty, position.intersection(clip) == position else { return nil }
    return (position.minRow..<position.maxRow).map {
      indices(position.minColumn..<position.maxColumn, ofRow: $0)
    }
  }

  /// Takes cells that lie side by side in the place of others.
  mutating func replace(_ places: Range<Int>, with row: ArraySlice<Cell>) {
    cells.replaceSubrange(places, with: row)
  }

  @inline(__always)
  private mutating func forEachVisibleRow(
    of rect: CellRect, _ body: (inout Canvas, _ row: Int, _ columns: Range<Int>) -> Void
  ) {
    let visible = rect.offset(columns: origin.column, rows: origin.row).intersection(clip)
    guard !visible.isEmpty else { return }
    for row in visible.minRow..<visible.maxRow {
      body(&self, row, visible.minColumn..<visible.maxColumn)
    }
  }

  /// Takes what stands in some columns of a row from a row of another canvas of the same size; blanks
  /// where there is none.
  mutating func replace(
    _ columns: Range<Int>, ofRow row: Int, with other: Canvas?, row otherRow: Int
  ) {
    for (index, position) in indices(columns, ofRow: row).enumerated() {
      guard let other else {
        cells[position] = .blank
        continue
      }
      cells[position] = other.cells[otherRow * size.columns + columns.lowerBound + index]
    }
  }

  /// Keeps the pictures of a canvas of which rows were taken.
  mutating func keepPictures(of other: Canvas) {
    pictures.merge(other.pictures) { new, _ in new }
  }

  /// The rows as strings, as tests compare a screen: each as wide as the canvas, trailing blanks
  /// included.
  package var lines: [String] {
    (0..<size.rows).map { row in
      var line = ""
      for cell in cells[row * size.columns..<(row + 1) * size.columns] where !cell.isRightHalf {
        line += cell.glyph.string
      }
      return line
    }
  }
}

/// Cursor of the terminal, where it rests after a frame.
///
/// It is visible in a text field. Elsewhere it is hidden, but still parked on what is selected,
/// since screen readers and input methods follow it.
package struct Cursor: Hashable, Sendable {
  package let point: CellPoint
  package let isVisible: Bool

  package init(point: CellPoint, isVisible: Bool) {
    self.point = point
    self.isVisible = isVisible
  }
}
