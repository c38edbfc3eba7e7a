import Expectations
import Glibc
import SafeTextKit
import TerminalTestSupport
import TestSupport
import Testing

@testable import TerminalKit

/// ncurses has one screen in each process.
@Suite(.serialized) struct NcursesWindowTests {
  @Test func `opening a window moves no variable under threads that look one up`() throws {
    let table = environ
    let first = environ[0]

    let window = NcursesWindow(
      .palette, size: CellSize(columns: 80, rows: 24), refusesColor: false)

    #expect(window != nil)
    expect(environ, table)
    expect(environ[0], first)
  }

  @Test(arguments: [TerminfoChoice.palette, .direct], 0..<4 as Range<UInt64>)
  func `a terminal shows each of many frames, moved, covered, redrawn or resized`(
    choice: TerminfoChoice, seed: UInt64
  ) throws {
    var frames = try FrameSequence(choice, seed: seed)

    for number in 0..<150 {
      let wrong = frames.showNext()
      #expect(wrong.isEmpty, "frame \(number)")
      if !wrong.isEmpty { return }
    }
  }

  @Test func `a system's entry gets other colours for its last pair`() throws {
    let window = try #require(
      NcursesWindow(.system("linux"), size: CellSize(columns: 80, rows: 24), refusesColor: false))
    let colors = PairTable.Colors(foreground: 1, background: 2)

    for pair: Int32 in 1...3 { window.define(pair: pair, as: colors, isReused: false) }
    window.define(pair: 3, as: colors, isReused: true)

    #expect(!window.frame(cursor: nil).isEmpty)
  }

  @Test func `rows of the whole width are moved by a few bytes`() throws {
    let size = CellSize(columns: 160, rows: 50)
    let window = try #require(NcursesWindow(.palette, size: size, refusesColor: false))
    var canvas = Canvas(size: size)
    for row in 0..<50 {
      canvas.write(SafeText("a row \(row)"), at: CellPoint(column: row, row: row))
    }
    var painter = CellPainter(in: window, of: size, .ofWindow(window))
    for row in 0..<50 { painter.put(row, 0..<160, of: canvas, over: .none) }
    _ = window.frame(cursor: nil)
    let move = MarginScroll(panel: CellRect(column: 0, row: 1, columns: 160, rows: 48), rows: 14)

    let bytes = painter.move(move, to: canvas.applying(move), over: .none)

    #expect(bytes.count < 64)
  }
}

extension TerminalCapabilities {
  fileprivate static func ofWindow(_ window: NcursesWindow) -> TerminalCapabilities {
    TerminalCapabilities(
      colors: ColorCapability(depth: window.colorDepth, source: .entry), canStrikeThrough: true,
      encoding: CharacterLocale.activate(), entry: .own)
  }
}

/// Frames at random, as a screen shows them one after the other, and the terminal that takes them.
private struct FrameSequence {
  private let window: NcursesWindow
  private var painter: CellPainter
  private let emulator: EmulatorScreen
  private var parser = OutputParser()
  private var random: SeededRandom
  private var size = CellSize(columns: 40, rows: 16)
  private var shown: Canvas?
  private var line = 0

  private static let texts: [SafeText] = ["lamp", "자전거", "a 상품 b", " ", "₩ 1,000"]
  private static let blocks: [Symbol] = ["▀", "▌", "█", " ", "▚"]

  init(_ choice: TerminfoChoice, seed: UInt64) throws {
    let window = try #require(NcursesWindow(choice, size: size, refusesColor: false))
    self.window = window
    painter = CellPainter(in: window, of: size, .ofWindow(window))
    emulator = EmulatorScreen(size: TerminalSize(columns: 40, rows: 16))
    random = SeededRandom(seed: seed)
    // ncurses enters the screen at the size that it began with.
    show(Canvas(size: size))
  }

  /// Shows another frame, and gives the places where the terminal shows something else.
  mutating func showNext() -> [CellPoint] {
    var canvas = Canvas(size: size)
    switch Int.random(in: 0..<12, using: &random) {
    case 0: shown = nil
    case 1: resize()
    case 2...6: canvas = moved(by: .random(in: -8...8, using: &random))
    default: canvas = shown ?? canvas
    }
    if canvas.size != size { canvas = Canvas(size: size) }
    for _ in 0..<Int.random(in: 0...6, using: &random) { change(&canvas) }
    show(canvas)
    return CellRect(size: size).points.filter { !isRight($0, canvas) }
  }

  private mutating func resize() {
    size = CellSize(
      columns: .random(in: 20...60, using: &random), rows: .random(in: 8...24, using: &random))
    emulator.resize(to: TerminalSize(columns: size.columns, rows: size.rows))
    painter.resize(to: size)
    shown = nil
  }

  /// What is shown with the rows between the first and the last moved.
  private mutating func moved(by rows: Int) -> Canvas {
    guard let shown else { return Canvas(size: size) }
    let panel = CellRect(column: 0, row: 1, columns: size.columns, rows: size.rows - 2)
    var canvas = shown.applying(MarginScroll(panel: panel, rows: rows))
    line += rows
    canvas.markPanel(panel, line: line)
    return canvas
  }

  /// Covers a part with a text, or with blocks in many colours.
  private mutating func change(_ canvas: inout Canvas) {
    let place = CellPoint(
      column: .random(in: -3..<size.columns, using: &random),
      row: .random(in: 0..<size.rows, using: &random))
    guard Bool.random(using: &random) else {
      let text = Self.texts.randomElement(using: &random) ?? " "
      canvas.write(text, at: place, style: style())
      return
    }
    for row in 0..<Int.random(in: 1...4, using: &random) {
      for column in 0..<Int.random(in: 1...12, using: &random) {
        canvas.put(
          Self.blocks.randomElement(using: &random) ?? " ",
          at: place.moved(columns: column, rows: row), style: style())
      }
    }
  }

  private mutating func style() -> Style {
    let colors: [UInt32?] = [nil, nil, nil, 0x5F87AF, 0xFFD7AF, 0x123456, 0x303030]
    func color() -> Color {
      colors.randomElement(using: &random).flatMap(\.self).map { .rgb(RGB(hex: $0)) }
        ?? .terminalDefault
    }
    let attributes: [Style.Attributes] = [[], [], [.bold], [.underline], [.reverse, .bold]]
    return Style(
      foreground: color(), background: color(),
      attributes: attributes.randomElement(using: &random) ?? [])
  }

  private mutating func show(_ canvas: Canvas) {
    var bytes: [UInt8] = []
    if let shown, let move = MarginScroll(from: shown, to: canvas) {
      let moved = shown.applying(move)
      bytes += painter.move(move, to: moved, over: .none)
      self.shown = moved
    }
    if shown == nil { window.forgetContents() }
    for row in 0..<size.rows {
      guard let columns = canvas.changedColumns(ofRow: row, since: shown) else { continue }
      painter.put(row, columns, of: canvas, over: .none)
    }
    bytes += window.frame(cursor: nil)
    painter.didRefresh()
    shown = canvas
    for token in parser.parse(bytes) { emulator.show(token) }
  }

  private func isRight(_ point: CellPoint, _ canvas: Canvas) -> Bool {
    let (cell, terminal) = (canvas[point], emulator.cell(row: point.row, column: point.column))
    guard !cell.isRightHalf else { return true }
    let style = cell.style
    let isBlank = cell.glyph == .space
    return (terminal.text.isEmpty ? " " : terminal.text) == cell.glyph.string
      && terminal.background == shownColor(style.background)
      && terminal.isReversed == style.attributes.contains(.reverse)
      && terminal.isUnderlined == style.attributes.contains(.underline)
      && (isBlank && style.showsNothingInBlanks
        || terminal.foreground == shownColor(style.foreground)
          && terminal.isBold == style.attributes.contains(.bold))
  }

  private func shownColor(_ color: Color) -> TerminalCell.Color {
    let number = window.colorDepth.number(of: color)
    switch number {
    case ..<0: return .terminalDefault
    case ..<256: return .indexed(UInt8(number))
    default:
      let color = RGB(hex: UInt32(number))
      return .rgb(red: color.red, green: color.green, blue: color.blue)
    }
  }
}

extension CellRect {
  fileprivate var points: [CellPoint] {
    (minRow..<maxRow).flatMap { row in
      (minColumn..<maxColumn).map { CellPoint(column: $0, row: row) }
    }
  }
}
