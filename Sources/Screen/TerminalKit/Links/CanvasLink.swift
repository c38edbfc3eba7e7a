/// URL of a terminal hyperlink (OSC 8), in printable ASCII only, so that no character of it can end the
/// command or control the terminal.
package struct LinkTarget: Hashable, Sendable {
  let address: String

  /// Maximum length in bytes; a longer one is no link (VTE takes 2,083).
  private static let longest = 2_000

  /// Returns nil for an empty or too long address, and for one with other than printable ASCII.
  package init?(_ address: String) {
    guard !address.isEmpty, address.utf8.count <= Self.longest,
      address.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
    else { return nil }
    self.address = address
  }
}

/// Area of a canvas that is a link.
struct CanvasLink: Hashable {
  let rect: CellRect
  let target: LinkTarget
}

/// Run of adjacent cells in a row that the terminal shows as one link.
struct LinkRun: Hashable {
  let point: CellPoint
  let target: LinkTarget
  let cells: [Cell]

  /// Returns the runs of a canvas, without cells that were drawn over their link.
  static func runs(of canvas: Canvas) -> [LinkRun] {
    guard !canvas.links.isEmpty else { return [] }
    var targets: [CellPoint: LinkTarget] = [:]
    for link in canvas.links {
      for row in link.rect.minRow..<link.rect.maxRow {
        for column in link.rect.minColumn..<link.rect.maxColumn {
          targets[CellPoint(column: column, row: row)] = link.target
        }
      }
    }
    return canvas.links.flatMap { link in
      (link.rect.minRow..<link.rect.maxRow).flatMap { row in
        runs(of: link, row: row, in: canvas) { targets[$0] == link.target }
      }
    }
  }

  private static func runs(
    of link: CanvasLink, row: Int, in canvas: Canvas, isOwn: (CellPoint) -> Bool
  ) -> [LinkRun] {
    var runs: [LinkRun] = []
    var start = CellPoint(column: link.rect.minColumn, row: row)
    var cells: [Cell] = []
    for column in link.rect.minColumn...link.rect.maxColumn {
      let point = CellPoint(column: column, row: row)
      let cell = canvas[point]
      if column < link.rect.maxColumn, cell.style.attributes.contains(.link), isOwn(point) {
        if cells.isEmpty { start = point }
        cells.append(cell)
      } else if !cells.isEmpty {
        runs.append(LinkRun(point: start, target: link.target, cells: cells))
        cells = []
      }
    }
    return runs
  }

  /// Bytes that write the run again as a link, at its position.
  ///
  /// The colours are the terminal's default. The parts of one link share an id made of its address, so
  /// that the terminal shows a wrapped link as one.
  var bytes: [UInt8] {
    let name = String(
      target.address.utf8.reduce(UInt32(5381)) { $0 &* 33 &+ UInt32($1) }, radix: 36)
    let text = cells.filter { !$0.isRightHalf }.map(\.glyph.string).joined()
    return Array(
      """
      \u{1B}[\(point.row + 1);\(point.column + 1)H\u{1B}]8;id=\(name);\(target.address)\u{1B}\\\
      \(text)\u{1B}]8;;\u{1B}\\
      """.utf8)
  }
}
