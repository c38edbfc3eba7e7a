/// Block of cells that was drawn once and can be put again.
package struct CellBlock: Sendable {
  package let size: CellSize
  /// Rows top to bottom.
  fileprivate let cells: [Cell]
}

extension Canvas {
  /// What stands in a rectangle; nil where that is clipped, cuts a wide glyph, or has
  /// a link or a piece of a picture.
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

  /// Puts a block with its top left corner at `point`, over blanks; false where that is clipped, and
  /// nothing is done.
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
