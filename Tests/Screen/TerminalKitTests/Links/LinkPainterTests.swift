import Expectations
import SafeTextKit
import Testing

@testable import TerminalKit

/// What makes links of a frame's text.
struct LinkPainterTests {
  private func canvas(_ address: String, at column: Int = 2) throws -> Canvas {
    var canvas = Canvas(size: CellSize(columns: 30, rows: 4))
    canvas.write("see a.example", at: CellPoint(column: 0, row: 1))
    canvas.link(
      CellRect(column: 4, row: 1, columns: 9, rows: 1), to: try #require(LinkTarget(address)))
    return canvas
  }

  private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  @Test func `a link is written over its text once, and the cursor goes back`() throws {
    var painter = LinkPainter()
    let canvas = try canvas("https://a.example")

    let first = text(painter.end(canvas) { _ in true })
    let second = painter.end(canvas) { _ in false }

    #expect(first.hasPrefix("\u{1B}7") && first.hasSuffix("\u{1B}8"))
    #expect(first.contains("\u{1B}[2;5H\u{1B}]8;id="))
    #expect(first.contains(";https://a.example\u{1B}\\a.example\u{1B}]8;;\u{1B}\\"))
    #expect(second.isEmpty)
  }

  @Test func `the same text with another address is written again`() throws {
    var painter = LinkPainter()
    _ = painter.end(try canvas("https://a.example")) { _ in true }

    let bytes = text(painter.end(try canvas("https://b.example")) { _ in false })

    #expect(bytes.contains(";https://b.example\u{1B}"))
  }

  @Test func `what is drawn over a link is none of it`() throws {
    var painter = LinkPainter()
    var canvas = try canvas("https://a.example")
    canvas.write("XYZ", at: CellPoint(column: 6, row: 1))

    let bytes = text(painter.end(canvas) { _ in true })

    #expect(bytes.contains("\u{1B}\\a.\u{1B}]8;;"))
    #expect(bytes.contains("\u{1B}\\mple\u{1B}]8;;"))
    #expect(!bytes.contains("XYZ"))
  }

  @Test(arguments: ["", "https://a\u{1B}", "https://a b", "https://\u{AC00}", "\u{7}"])
  func `an address that could end the command is no target`(address: String) {
    expect(LinkTarget(address), nil)
  }
}
