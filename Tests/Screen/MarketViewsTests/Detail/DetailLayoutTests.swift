import Expectations
import MarketViews
import TerminalKit
import Testing

struct DetailLayoutTests {
  private func forEverySize(_ body: (CellRect) -> Void) {
    for columns in 1...260 {
      for rows in 1...80 { body(CellRect(column: 0, row: 1, columns: columns, rows: rows)) }
    }
  }

  @Test(arguments: [true, false], [0, 1, 5])
  func `the parts of a detail lie within it and apart from each other`(
    showsPictures: Bool, count: Int
  ) {
    forEverySize { bounds in
      let layout = DetailLayout(bounds, pictures: count, showsPictures: showsPictures)
      #expect(layout.blocks.columns <= 72)
      let parts = [layout.picture, layout.dots, layout.thumbnails, layout.text]
        .filter { !$0.isEmpty }
      #expect(parts.allSatisfy { $0.intersection(bounds) == $0 })
      for part in parts where part != layout.picture {
        #expect(part.intersection(layout.picture).isEmpty)
      }
      #expect(layout.text.intersection(layout.dots).isEmpty)
      #expect(
        layout.text.isEmpty || layout.text.intersection(layout.viewport) == layout.text)
      #expect(layout.text.columns <= 72)
    }
  }

  @Test func `in a tall window the dots stand in the same row whatever their number`() {
    for columns in 40...109 {
      for rows in 28...80 {
        let bounds = CellRect(column: 0, row: 1, columns: columns, rows: rows)
        let dots = (2...5).map { DetailLayout(bounds, pictures: $0).dots }

        #expect(Set(dots).count == 1 && dots[0].rows == 1)
      }
    }
  }

  @Test func `from 110 columns on the texts begin at the picture's top edge, right of it`() {
    for columns in 110...260 {
      for rows in 8...80 {
        let bounds = CellRect(column: 0, row: 1, columns: columns, rows: rows)
        let layout = DetailLayout(bounds)

        expect(layout.picture.minColumn, 1)
        #expect(layout.picture.columns <= columns * 55 / 100)
        expect(layout.text.minRow, layout.picture.minRow)
        expect(layout.text.minColumn, layout.picture.maxColumn + 3)
        expect(layout.linesAboveText, 0)
      }
    }
  }

  @Test func `below 110 columns all that is not beside the picture has one left edge`() {
    for columns in 20...109 {
      for rows in 4...60 {
        let bounds = CellRect(column: 0, row: 1, columns: columns, rows: rows)
        let layout = DetailLayout(bounds)

        let isBeside = layout.text.minColumn > 1
        expect(layout.blocks.minColumn, 1)
        #expect(layout.picture.isEmpty || layout.picture.minColumn == 1)
        #expect(!isBeside || rows + 2 < 30 && layout.text.columns >= 24)
        #expect(!isBeside || layout.text.minColumn == layout.picture.maxColumn + 3)
        #expect(!isBeside || layout.firstLineOfBlocks(below: 2) == layout.picture.maxRow - 1)
        #expect(!isBeside || layout.firstLineOfBlocks(below: 20) == 20)
        #expect(layout.picture.rows <= (rows + 2 < 30 ? (rows + 2) / 3 : rows / 2))
        expect(layout.viewport.columns, columns - 2)
      }
    }
  }

  @Test(arguments: [(160, 43, 83, 31), (120, 34, 59, 22), (110, 22, 53, 20), (200, 58, 110, 42)])
  func `a wide window gives picture and texts their share`(
    columns: Int, rows: Int, width: Int, height: Int
  ) {
    let layout = DetailLayout(CellRect(column: 0, row: 1, columns: columns, rows: rows))

    expect(layout.picture.size, CellSize(columns: width, rows: height))
    expect(layout.thumbnails.isEmpty, rows < 24)
  }
}
