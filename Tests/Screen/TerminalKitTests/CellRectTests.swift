import Expectations
import TerminalKit
import Testing

struct CellRectTests {
  private let rect = CellRect(column: 2, row: 1, columns: 10, rows: 5)

  @Test func `cutting yields both parts`() {
    expect(rect.splitTop(2).rest, CellRect(column: 2, row: 3, columns: 10, rows: 3))
    expect(rect.splitBottom(1).bottom, CellRect(column: 2, row: 5, columns: 10, rows: 1))
    expect(rect.splitLeft(4).rest, CellRect(column: 6, row: 1, columns: 6, rows: 5))
    expect(rect.splitRight(3).right, CellRect(column: 9, row: 1, columns: 3, rows: 5))
  }

  @Test func `cutting more than there is leaves an empty rest`() {
    expect(rect.splitTop(9).top, rect)
    #expect(rect.splitTop(9).rest.isEmpty)
    #expect(rect.splitRight(-1).right.isEmpty)
  }

  @Test func `margins wider than the rectangle leave nothing`() {
    #expect(rect.inset(columns: 6, rows: 1).isEmpty)
    expect(rect.inset(columns: 1, rows: 1), CellRect(column: 3, row: 2, columns: 8, rows: 3))
  }

  @Test func `rectangles that only touch do not intersect`() {
    #expect(rect.intersection(CellRect(column: 12, row: 1, columns: 3, rows: 3)).isEmpty)
    let common = rect.intersection(CellRect(column: 0, row: 0, columns: 4, rows: 3))
    expect(common, CellRect(column: 2, row: 1, columns: 2, rows: 2))
  }

  @Test func `a centred size is cut to what there is`() {
    let box = rect.centered(CellSize(columns: 4, rows: 99))

    expect(box, CellRect(column: 5, row: 1, columns: 4, rows: 5))
  }
}
