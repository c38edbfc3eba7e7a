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
  /// Cursor in the coordinates of the whole canvas; nil hides it in the corner.
  package private(set) var cursor: Cursor?
  /// Pictures of which cells were drawn, by serial number.
  package private(set) var pictures: [UInt32: TerminalPicture] = [:]

  /// Whether the canvas takes text only, without colours, attributes, frames, rules or shades, for
  /// screen readers and braille lines.
  package let isLinear: Bool
  /// Links in the coordinates of the whole canvas; where they overlap, the last one counts.
  private(set) var links: [CanvasLink] = []
  /// Area whose rows scroll while others stay, in the coordinates of the whole canvas; nil where there
  /// is none.
  private(set) var panel: CellRect?
  /// Index of the content line in the panel's first row.
  private(set) var panelLine = 0

  /// Area that may be drawn on, in the coordinates of the whole canvas.
  private var clip: CellRect
  /// Position of the drawing coordinates' (0, 0) in the whole canvas.
  private var origin: CellPoint

  package init(size: CellSize, isLinear: Bool = false) {
    self.size = size
    self.isLinear = isLinear
    cells = [Cell](repeating: .blank, count: size.count)
    clip = CellRect(size: size)
    origin = .zero
  }

  /// Area that the current coordinates may draw on, with its origin; a view fills it.
  package var bounds: CellRect { clip.offset(columns: -origin.column, rows: -origin.row) }

  /// Draws in the coordinates of `rect`: its corner is (0, 0), and cells outside stay unchanged.
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
  ///   - point: position of the first column; outside the clipping, only the rest of the text is drawn.
  ///   - style: style of all cells.
  ///   - maxColumns: maximum columns; a wide character that would exceed it is left out.
  /// - Returns: the columns of the written text, clipped ones included.
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

  /// Draws one of the program's own symbols.
  package mutating func put(_ symbol: Symbol, at point: CellPoint, style: Style = .plain) {
    put(symbol.glyph, columns: 1, at: point, style: style)
  }

  /// Draws a picture with its top left corner at `point`, clipped; later drawing covers it.
  package mutating func draw(_ picture: TerminalPicture, at point: CellPoint) {
    pictures[picture.serial] = picture
    cover(CellRect(origin: point, size: picture.size)) { column, row in
      Cell(
        Glyph(PicturePiece(serial: picture.serial, column: column, row: row)), style: .plain)
    }
  }

  /// Fills a rectangle with a symbol, by default with blanks; on a linear canvas always with blanks.
  package mutating func fill(_ rect: CellRect, with symbol: Symbol = .space, style: Style) {
    forEachVisibleRow(of: rect) { canvas, row, columns in
      canvas.separate(columns, ofRow: row)
      let cell = canvas.isLinear ? Cell.blank : Cell(symbol.glyph, style: style)
      for index in canvas.indices(columns, ofRow: row) { canvas.cells[index] = cell }
    }
  }

  /// Fills a rectangle with cells of one column each, by their column and row in the rectangle.
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

  /// Changes the style of a rectangle and keeps its glyphs; a wide glyph changes with its left half.
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

  /// Makes a link of the cells of a rectangle; cells drawn there later are not part of it.
  package mutating func link(_ rect: CellRect, to target: LinkTarget) {
    restyle(rect) { $0.adding(.link) }
    let visible = rect.offset(columns: origin.column, rows: origin.row).intersection(clip)
    if !visible.isEmpty { links.append(CanvasLink(rect: visible, target: target)) }
  }

  /// Marks an area whose rows scroll together while others stay; `line` is the index of its first
  /// content line.
  package mutating func markPanel(_ rect: CellRect, line: Int) {
    panel = rect.offset(columns: origin.column, rows: origin.row).intersection(clip)
    panelLine = line
  }

  /// Places the cursor; a point outside the clipping is ignored.
  package mutating func setCursor(at point: CellPoint, isVisible: Bool) {
    let position = point.moved(columns: origin.column, rows: origin.row)
    guard clip.contains(position) else { return }
    cursor = Cursor(point: position, isVisible: isVisible)
  }

  /// Shows the cursor at its position, or at `point` of the whole canvas where it has none.
  package mutating func showCursor(orAt point: CellPoint) {
    cursor = Cursor(point: cursor?.point ?? point, isVisible: true)
  }

  /// Cell at a position of the whole canvas; a blank one outside.
  package subscript(point: CellPoint) -> Cell {
    guard CellRect(size: size).contains(point) else { return .blank }
    return cells[point.row * size.columns + point.column]
  }

  /// Draws one glyph, clipped; a wide glyph of which one half is clipped becomes a blank.
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

  /// Indices in `cells` of each row of a rectangle; nil where it is empty or clipped.
  func indices(of rect: CellRect) -> [Range<Int>]? {
    let position = rect.offset(columns: origin.column, rows: origin.row)
    guard !position.isEmpty, position.intersection(clip) == position else { return nil }
    return (position.minRow..<position.maxRow).map {
      indices(position.minColumn..<position.maxColumn, ofRow: $0)
    }
  }

  /// Replaces adjacent cells of one row.
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

  /// Copies columns of a row from a row of another canvas of the same size; nil gives blanks.
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

  /// Adds the pictures of a canvas from which rows were copied.
  mutating func keepPictures(of other: Canvas) {
    pictures.merge(other.pictures) { new, _ in new }
  }

  /// Rows as strings for comparison in tests; each fills the width, trailing blanks included.
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

/// Position and visibility of the terminal's cursor after a frame.
///
/// The cursor is visible in a text field. Elsewhere it is hidden but placed on the selection, which
/// screen readers and input methods follow.
package struct Cursor: Hashable, Sendable {
  package let point: CellPoint
  package let isVisible: Bool

  package init(point: CellPoint, isVisible: Bool) {
    self.point = point
    self.isVisible = isVisible
  }
}
