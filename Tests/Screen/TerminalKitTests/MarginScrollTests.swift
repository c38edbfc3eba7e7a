import Expectations
import SafeTextKit
import Testing

@testable import TerminalKit

struct MarginScrollTests {
  private static let panel = CellRect(column: 0, row: 1, columns: 8, rows: 6)

  /// A line of a list, like no other near it.
  private static func text(_ line: Int) -> SafeText {
    SafeText(String(repeating: Character(Unicode.Scalar(UInt8(97 + line % 26))), count: 8))
  }

  /// A list of lines from one on, beside a text that stays.
  private static func canvas(from first: Int, beside text: SafeText = "detail") -> Canvas {
    var canvas = Canvas(size: CellSize(columns: 16, rows: 8))
    canvas.markPanel(panel, line: first)
    for row in 1..<7 {
      canvas.write(Self.text(first + row), at: CellPoint(column: 0, row: row))
      canvas.write(text, at: CellPoint(column: 9, row: row))
    }
    return canvas
  }

  @Test(arguments: [1, 2, -1, -2])
  func `a list that has moved is moved, and nothing beside it`(rows: Int) throws {
    let (old, new) = (Self.canvas(from: 10), Self.canvas(from: 10 + rows))

    let move = try #require(MarginScroll(from: old, to: new))
    let moved = old.applying(move)

    expect(move, MarginScroll(panel: Self.panel, rows: rows))
    let changed = (0..<8).filter { new.changedColumns(ofRow: $0, since: moved) != nil }
    expect(changed.count, abs(rows))
    #expect(moved.lines[1..<7].allSatisfy { $0.hasSuffix("detail ") })
  }

  @Test func `margins are taken away behind the move`() {
    let move = MarginScroll(panel: Self.panel, rows: -2)

    let text = String(decoding: move.bytes, as: UTF8.self)

    #expect(text.contains("\u{1B}[?69h\u{1B}[2;7r\u{1B}[1;8s\u{1B}[2T"))
    #expect(text.hasPrefix("\u{1B}7") && text.hasSuffix("\u{1B}[?69l\u{1B}[r\u{1B}8"))
  }

  @Test func `another list is not moved`() {
    expect(MarginScroll(from: Self.canvas(from: 10), to: Self.canvas(from: 50)), nil)
    expect(MarginScroll(from: Self.canvas(from: 10), to: Self.canvas(from: 10)), nil)
  }

  @Test func `no half of a wide glyph is moved`() {
    var (old, new) = (Self.canvas(from: 10), Self.canvas(from: 11))
    for row in 1..<7 { old.write("상", at: CellPoint(column: 7, row: row)) }

    expect(MarginScroll(from: old, to: new), nil)
    new.write("상", at: CellPoint(column: 7, row: 3))
    expect(MarginScroll(from: new, to: old), nil)
  }

  /// Rows of cards over the whole width, of which one cell is marked.
  private static func cards(from line: Int, marking row: Int) -> Canvas {
    var canvas = Canvas(size: CellSize(columns: 16, rows: 20))
    canvas.markPanel(CellRect(column: 0, row: 1, columns: 16, rows: 18), line: line)
    canvas.write("bar", at: .zero)
    for row in 1..<19 {
      for column in [0, 8] {
        canvas.write(Self.text(line + row), at: CellPoint(column: column, row: row))
      }
    }
    canvas.put("*", at: CellPoint(column: 0, row: row))
    return canvas
  }

  @Test(arguments: [3, 9, -9])
  func `cards whose shift is known are moved though a mark among them differs`(rows: Int) throws {
    let (old, new) = (Self.cards(from: 30, marking: 12), Self.cards(from: 30 + rows, marking: 13))

    let move = try #require(MarginScroll(from: old, to: new))

    #expect(move.rows == rows && move.isWhole(of: new.size))
  }

  @Test func `cards that stay, go too far or are others are not moved`() {
    let old = Self.cards(from: 30, marking: 12)
    var others = Self.cards(from: 39, marking: 12)
    others.fill(CellRect(size: others.size), with: "x", style: .plain)

    expect(MarginScroll(from: old, to: Self.cards(from: 30, marking: 13)), nil)
    expect(MarginScroll(from: old, to: Self.cards(from: 40, marking: 13)), nil)
    expect(MarginScroll(from: old, to: others), nil)
  }
}
