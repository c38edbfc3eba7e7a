import Expectations
import TerminalKit
import TestSupport
import Testing

struct QRCodeTests {
  @Test(arguments: [
    (61, CellSize(columns: 37, rows: 19)), (62, CellSize(columns: 41, rows: 21)),
    (90, CellSize(columns: 41, rows: 21)),
  ])
  func `capitals and digits take the room of their own alphabet`(count: Int, size: CellSize) {
    expect(QRCode(String(repeating: "A", count: count))?.size, size)
  }

  @Test func `a text that no code holds has none`() {
    #expect(QRCode(String(repeating: "a", count: 4_000)) == nil)
  }

  @Test func `modules are exact black and white, two in a cell, within a white margin`() throws {
    let code = try #require(QRCode("HTTP://192.0.2.7/U/A"))
    var canvas = Canvas(size: code.size)

    canvas.draw(code, at: CellPoint(column: 0, row: 0))

    let lines = canvas.lines
    #expect(lines[0].allSatisfy { $0 == " " } && lines[1].allSatisfy { $0 == " " })
    // The finder pattern: a dark frame of seven modules, light within, dark in the middle.
    expect(lines[2].prefix(12), "     ▀▀▀▀▀  ")
  }
}
