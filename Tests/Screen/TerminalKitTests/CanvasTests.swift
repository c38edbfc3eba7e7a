import Expectations
import SafeTextKit
import Testing

@testable import TerminalKit

struct CanvasTests {
  @Test func `on the way to a canvas the cheap rows change first, and all in the end`() {
    let size = CellSize(columns: 40, rows: 6)
    let old = Canvas(size: size)
    var new = Canvas(size: size)
    for column in 0..<40 {
      let color = Color.rgb(RGB(UInt8(column), 9, 9))
      for row in 0..<5 {
        new.put("▀", at: CellPoint(column: column, row: row), style: Style(foreground: color))
      }
    }
    new.write("text", at: CellPoint(column: 0, row: 5))

    var shown = new.step(from: old, budget: 100)
    #expect(shown.lines[5].hasPrefix("text") && shown.lines[0] == old.lines[0])
    var steps = 0
    while shown != new {
      shown = new.step(from: shown, budget: 100)
      steps += 1
    }
    expect(steps, 5)
    expect(new.step(from: old, budget: 10_000), new)
  }

  private static func canvas(_ columns: Int, _ rows: Int) -> Canvas {
    Canvas(size: CellSize(columns: columns, rows: rows))
  }

  @Test func `text is clipped at every edge`() {
    var canvas = Self.canvas(5, 2)

    canvas.write("abcdefgh", at: CellPoint(column: -2, row: 0))
    canvas.write("xyz", at: CellPoint(column: 3, row: 1))
    canvas.write("above", at: CellPoint(column: 0, row: -1))
    canvas.write("below", at: CellPoint(column: 0, row: 2))

    expect(canvas.lines, ["cdefg", "   xy"])
  }

  @Test func `a linear canvas takes text alone`() {
    var canvas = Canvas(size: CellSize(columns: 6, rows: 3), isLinear: true)
    let bold = Style(foreground: .rgb(RGB(hex: 0xFF0000)), attributes: .bold)

    canvas.fill(canvas.bounds, with: "#", style: bold)
    canvas.frame(canvas.bounds, style: bold)
    canvas.horizontalRule(at: .zero, columns: 6, style: bold)
    canvas.write("한 a", at: CellPoint(column: 1, row: 1), style: bold)
    canvas.restyle(canvas.bounds) { $0.adding(.reverse) }

    expect(canvas.lines, ["      ", " 한 a ", "      "])
    #expect(canvas.cells.allSatisfy { $0.style == .plain })
  }

  @Test func `the cursor is shown where it is parked, else where it is asked for`() {
    let corner = CellPoint(column: 1, row: 1)
    var canvas = Self.canvas(4, 2)
    canvas.showCursor(orAt: corner)
    expect(canvas.cursor, Cursor(point: corner, isVisible: true))

    canvas.setCursor(at: .zero, isVisible: false)
    canvas.showCursor(orAt: corner)

    expect(canvas.cursor, Cursor(point: .zero, isVisible: true))
  }

  @Test func `writing reports the columns it took and stops before a glyph that would pass them`() {
    var canvas = Self.canvas(8, 1)

    let written = canvas.write("한글자", at: .zero, maxColumns: 5)

    expect(written, 4)
    expect(canvas.lines, ["한글    "])
  }

  @Test func `a wide glyph in the last column is a blank`() {
    var canvas = Self.canvas(5, 1)

    canvas.write("한글자", at: .zero)

    expect(canvas.lines, ["한글 "])
  }

  @Test func `a wide glyph cut by the left edge is a blank`() {
    var canvas = Self.canvas(4, 1)

    canvas.write("한글", at: CellPoint(column: -1, row: 0))

    expect(canvas.lines, [" 글 "])
  }

  @Test(arguments: [(0, "x 글"), (1, " x글"), (2, "한x "), (3, "한 x")])
  func `writing over half a wide glyph blanks its other half`(column: Int, line: String) {
    var canvas = Self.canvas(4, 1)
    canvas.write("한글", at: .zero)

    canvas.write("x", at: CellPoint(column: column, row: 0))

    expect(canvas.lines, [line])
  }

  @Test func `a wide glyph over the halves of two others blanks both`() {
    var canvas = Self.canvas(4, 1)
    canvas.write("한글", at: .zero)

    canvas.write("자", at: CellPoint(column: 1, row: 0))

    expect(canvas.lines, [" 자 "])
  }

  @Test func `filling blanks the halves that it cuts`() {
    var canvas = Self.canvas(6, 1)
    canvas.write("한글자", at: .zero)

    canvas.fill(CellRect(column: 1, row: 0, columns: 4, rows: 1), with: "-", style: .plain)

    expect(canvas.lines, [" ---- "])
  }

  @Test func `drawing inside a rectangle has its own origin and cannot leave it`() {
    var canvas = Self.canvas(6, 3)

    canvas.clipped(to: CellRect(column: 2, row: 1, columns: 3, rows: 1)) { inner in
      inner.write("abcdef", at: .zero)
      inner.write("no", at: CellPoint(column: 0, row: 1))
      inner.clipped(to: CellRect(column: 1, row: 0, columns: 9, rows: 9)) { innermost in
        innermost.fill(innermost.bounds, with: "#", style: .plain)
      }
    }

    expect(canvas.lines, ["      ", "  a## ", "      "])
  }

  @Test func `restyling keeps the text and takes wide glyphs whole`() {
    var canvas = Self.canvas(4, 1)
    canvas.write("한글", at: .zero)

    canvas.restyle(CellRect(column: 1, row: 0, columns: 2, rows: 1)) { $0.adding(.reverse) }

    expect(canvas.lines, ["한글"])
    let reversed = (0..<4).map { column in
      canvas[CellPoint(column: column, row: 0)].style.attributes.contains(.reverse)
    }
    expect(reversed, [false, false, true, true])
  }

  @Test func `frames follow the edges of their rectangle`() {
    var canvas = Self.canvas(8, 3)

    canvas.frame(CellRect(column: 0, row: 0, columns: 4, rows: 3), style: .plain, weight: .heavy)
    canvas.frame(CellRect(column: 4, row: 0, columns: 4, rows: 3), style: .plain)

    expect(canvas.lines, ["┏━━┓╭──╮", "┃  ┃│  │", "┗━━┛╰──╯"])
  }

  @Test func `the cursor is placed in the coordinates of the clipping and never outside it`() {
    var canvas = Self.canvas(6, 3)

    canvas.clipped(to: CellRect(column: 2, row: 1, columns: 3, rows: 1)) { inner in
      inner.setCursor(at: CellPoint(column: 1, row: 0), isVisible: true)
      inner.setCursor(at: CellPoint(column: 3, row: 0), isVisible: false)
    }

    expect(canvas.cursor, Cursor(point: CellPoint(column: 3, row: 1), isVisible: true))
  }

  @Test func `a canvas without cells takes every call`() {
    var canvas = Self.canvas(0, 0)

    canvas.write("한글", at: .zero)
    canvas.frame(CellRect(column: 0, row: 0, columns: 4, rows: 3), style: .plain)
    canvas.setCursor(at: .zero, isVisible: true)

    #expect(canvas.lines.isEmpty)
    expect(canvas.cursor, nil)
  }

  @Test func `a block of cells is put as it was drawn`() {
    var canvas = Self.canvas(8, 2)
    let style = Style(foreground: .rgb(RGB(1, 2, 3)))
    canvas.write("가나 x", at: CellPoint(column: 1, row: 0), style: style)

    let block = canvas.block(CellRect(column: 1, row: 0, columns: 6, rows: 1))
    var other = Self.canvas(8, 2)

    expect(block.map { other.put($0, at: CellPoint(column: 2, row: 1)) }, true)
    expect(other.lines, ["        ", "  가나 x"])
    expect(other[CellPoint(column: 2, row: 1)], canvas[CellPoint(column: 1, row: 0)])
  }

  @Test func `a block that is clipped, or cuts a wide character, is none`() {
    var canvas = Self.canvas(8, 2)
    canvas.write("가나", at: CellPoint(column: 1, row: 0))

    #expect(canvas.block(CellRect(column: 2, row: 0, columns: 5, rows: 1)) == nil)
    #expect(canvas.block(CellRect(column: 0, row: 0, columns: 4, rows: 1)) == nil)
    #expect(canvas.block(CellRect(column: 0, row: 1, columns: 9, rows: 1)) == nil)
    let block = canvas.block(CellRect(column: 0, row: 0, columns: 6, rows: 1))
    expect(block.map { canvas.put($0, at: CellPoint(column: 3, row: 1)) }, false)
    expect(canvas.lines[1], "        ")
  }
}
