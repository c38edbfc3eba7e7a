import SafeTextKit
import Testing

@testable import TerminalKit

@Suite struct MarginScrollTests {
  private static let panel = CellRect(column: 0, row: 1, columns: 8, rows: 6)

  /// A list of numbers from one on, beside a text that stays.
  private static func canvas(from first: Int, beside text: SafeText = "detail") -> Canvas {
    var canvas = Canvas(size: CellSize(columns: 16, rows: 8))
    canvas.markPanel(panel)
    for row in 1..<7 {
      canvas.write(SafeText("row \(first + row)"), at: CellPoint(column: 0, row: row))
      canvas.write(text, at: CellPoint(column: 9, row: row))
    }
    return canvas
  }

  @Test(arguments: [1, 2, -1, -2])
  func `a list that has moved is moved, and nothing beside it`(rows: Int) throws {
    let (old, new) = (Self.canvas(from: 10), Self.canvas(from: 10 + rows))

    let move = try #require(MarginScroll(from: old, to: new))
    let moved = old.applying(move)

    #expect(move == MarginScroll(panel: Self.panel, rows: rows))
    let changed = (0..<8).filter { new.changedColumns(ofRow: $0, since: moved) != nil }
    #expect(changed.count == abs(rows))
    #expect(moved.lines.allSatisfy { $0.hasSuffix("detail ") || !$0.contains("row") })
  }

  @Test func `margins are taken away behind the move`() {
    let move = MarginScroll(panel: Self.panel, rows: -2)

    let text = String(decoding: move.bytes, as: UTF8.self)

    #expect(text.contains("\u{1B}[?69h\u{1B}[2;7r\u{1B}[1;8s\u{1B}[2T"))
    #expect(text.hasPrefix("\u{1B}7") && text.hasSuffix("\u{1B}[?69l\u{1B}[r\u{1B}8"))
  }

  @Test func `another list is not moved`() {
    #expect(MarginScroll(from: Self.canvas(from: 10), to: Self.canvas(from: 50)) == nil)
    #expect(MarginScroll(from: Self.canvas(from: 10), to: Self.canvas(from: 10)) == nil)
  }

  @Test func `no half of a wide glyph is moved`() {
    var (old, new) = (Self.canvas(from: 10), Self.canvas(from: 11))
    for row in 1..<7 { old.write("상", at: CellPoint(column: 7, row: row)) }

    #expect(MarginScroll(from: old, to: new) == nil)
    new.write("상", at: CellPoint(column: 7, row: 3))
    #expect(MarginScroll(from: new, to: old) == nil)
  }
}
