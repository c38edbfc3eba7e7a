/// Copy of drawn cells that can be drawn again.
package struct CellBlock: Sendable {
  package let size: CellSize
  /// Rows top to bottom.
  fileprivate let cells: [Cell]
}

extension Canvas {
  /// Returns the cells of a rectangle; nil where it is clipped, cuts a wide glyph, or contains a link
  /// or a picture.
  package func block(_ rect: CellRect) -> CellBlock? {
    guard let rows = indices(of: rect) else { return nil }
    var block: [Cell] = []
    block.reserveCapacity(rect.size.count)
    for row in rows {
      guard !cells[row.lowerBound].isRightHalf, row.last.map({ cells[$0].columns }) != 2 else {
        return nil
      }
      block += cells[row]
    }
    let isWhole = !block.contains { $0.glyph.piece != nil || $0.style.attributes.contains(.link) }
    return isWhole ? CellBlock(size: rect.size, cells: block) : nil
  }

  /// Draws a block with its top left corner at `point`; returns false, without drawing, where it would
  /// be clipped.
  package mutating func put(_ block: CellBlock, at point: CellPoint) -> Bool {
    guard let rows = indices(of: CellRect(origin: point, size: block.size)) else { return false }
    var start = 0
    for row in rows {
      replace(row, with: block.cells[start..<start + row.count])
      start += row.count
    }
    return true
  }
}
