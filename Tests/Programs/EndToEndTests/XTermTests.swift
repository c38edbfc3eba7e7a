import Glibc
import TerminalTestSupport
import TestSupport
import Testing

/// What a real xterm with sixel graphics shows, compared with what it should show.
@Suite(.ownThread) struct XTermTests {
  private static let size = TerminalSize(columns: 100, rows: 30)
  /// A menu over pictures, scrolls by a row and by a page, the search, the list, the detail, a
  /// picture over the whole window, and the prompt for a password over the detail's picture.
  private static let tour: [KeyScript] = [
    "o", "q", "jj", "<PgDn>", "/", "<Esc>", "v", "v", "<Enter>", "<Enter>", "q", "D", "<Esc>", "q",
  ]

  @Test func `each picture stands where it should and no pixel beside it`() async throws {
    try Self.requirePrograms()
    let folder = try TemporaryFolder()
    let window = try XTermWindow(.vt340, size: Self.size, in: folder.path)
    let session = try await MarketProgram(nil).open(
      "--view", "grid", "--language", "en", size: Self.size, persona: .like(window))
    var shown = 0
    func show(_ what: String) throws {
      try window.show(session.output[shown...])
      shown = session.output.count
      let wrong = try window.screenshot().cells(unlike: session, cell: window.cell)
      #expect(wrong.isEmpty, "after \(what)")
    }

    try session.waitForSixels()
    try show("the start")
    for keys in Self.tour {
      session.type(keys)
      _ = session.listen(for: .milliseconds(60))
      try session.waitForSixels(atLeast: 0)
      try show("\(keys)")
    }
    // Pictures that scrolled along were painted anew, as the window has shown. A frame for the larger window
    // may come after this.
    #expect(session.pictures.mistakes.allSatisfy { $0.hasPrefix("moves pictures") })
    let smaller = TerminalSize(columns: 90, rows: 26)
    try window.resize(to: smaller)
    try session.resizeAndWait(to: smaller)
    try session.waitForSixels()
    try show("the resize")
    session.type("q")
    _ = try session.waitForExit()
    let hidingCursor = "\u{1B}[?25l".utf8
    try window.show(session.output[shown...] + hidingCursor)
    shown = session.output.count
    try show("the end")

    #expect(session.pictures.painted.isEmpty)
  }

  @Test func `a list that moves beside the detail leaves that where it is`() async throws {
    try Self.requirePrograms()
    let folder = try TemporaryFolder()
    let size = TerminalSize(columns: 160, rows: 40)
    let window = try XTermWindow(.vt420, size: size, in: folder.path)
    // Rows that have little in common: what hardly differs is not worth a move.
    let session = try await MarketProgram(.rows(90, of: 45)).open(
      "--view", "list", "--language", "en", "--pictures", "blocks", size: size,
      persona: .stockXTerm)
    // Beside a blank place whole lines move.
    try session.wait(forText: "As good as new.")

    for number in 2...60 {
      session.type("j")
      try session.waitForSelection("Ware " + "00\(number)".suffix(3))
    }

    // Some of these steps also bring the detail on which the selection has rested.
    let frames = String(decoding: session.output, as: UTF8.self).split(separator: "\u{1B}[?2026h")
    let moves = frames.filter { $0.contains("\u{1B}[?69h") }.map(\.utf8.count).sorted()
    #expect(
      moves.count > 30 && moves[moves.count / 2] <= 1_536,
      "\(moves) of \(frames.map(\.utf8.count))")
    try window.show(session.output)
    #expect(try window.screenshot().cells(unlike: session, cell: window.cell).isEmpty)
  }

  private static func requirePrograms() throws {
    for program in ["xterm", "Xvfb"] {
      try #require(
        access("/usr/bin/" + program, X_OK) == 0,
        "this test needs \(program) (Debian: xterm, xvfb)")
    }
  }
}

extension TerminalPersona {
  /// One that answers as an xterm does.
  fileprivate static func like(_ window: XTermWindow) -> TerminalPersona {
    var persona = TerminalPersona.sixel
    persona.background = "0000/0000/0000"
    persona.attributes = window.attributes
    persona.version = "XTerm(379)"
    persona.cell = window.cell
    return persona
  }
}

extension WindowDump {
  /// The cells that do not show what a session's terminal has there: the pixels of a picture, or a
  /// character in one colour on another.
  fileprivate func cells(
    unlike session: TerminalSession, cell: (width: Int, height: Int)
  ) -> [String] {
    (0..<session.screen.size.rows).flatMap { row in
      (0..<session.screen.size.columns).compactMap { column in
        let pixels = pixels(ofCell: cell, row: row, column: column)
        let isRight =
          if let picture = session.pictures.painted[[row, column]] {
            Self.areAlike(pixels, picture)
          } else if [row, column] == [session.screen.cursor.row, session.screen.cursor.column] {
            true
          } else {
            session.screen.mayShow(Set(pixels), row: row, column: column)
          }
        return isRight ? nil : "\(row), \(column)"
      }
    }
  }

  private func pixels(
    ofCell cell: (width: Int, height: Int), row: Int, column: Int
  ) -> [SIMD3<Int>] {
    (0..<cell.width * cell.height).map { index in
      color(
        x: column * cell.width + index % cell.width, y: row * cell.height + index / cell.width)
    }
  }

  /// Terminals round the percents in which sixels state colours each in their way.
  private static func areAlike(_ pixels: [SIMD3<Int>], _ picture: [[Int]]) -> Bool {
    zip(pixels, picture).allSatisfy { pixel, wanted in
      wanted.indices.allSatisfy { abs(pixel[$0] - wanted[$0]) <= 2 }
    }
  }
}

extension EmulatorScreen {
  /// Whether a cell may consist of these colours: its ground, and one for its character.
  fileprivate func mayShow(_ colors: Set<SIMD3<Int>>, row: Int, column: Int) -> Bool {
    let left = column > 0 ? self.cell(row: row, column: column - 1) : nil
    let cell =
      if let left, left.width == 2 { left } else { self.cell(row: row, column: column) }
    // Bold characters and lines reach a pixel further.
    let isBlank = cell.isBlank && left?.isBlank != false
    if cell.isReversed { return colors.count <= 2 }
    return colors.count <= (isBlank ? 1 : 2) && colors.contains(cell.background.pixel)
  }
}

extension TerminalCell {
  fileprivate var isBlank: Bool { [" ", "\u{A0}", ""].contains(text) }
}

extension TerminalCell.Color {
  /// The pixel of a ground, black where it is the terminal's own.
  fileprivate var pixel: SIMD3<Int> {
    switch self {
    case .terminalDefault: .zero
    case .rgb(let red, let green, let blue): SIMD3(Int(red), Int(green), Int(blue))
    case .indexed(let index) where index >= 232: SIMD3(repeating: 8 + (Int(index) - 232) * 10)
    case .indexed(let index):
      SIMD3(
        Self.light(Int(index - 16) / 36), Self.light(Int(index - 16) / 6 % 6),
        Self.light(Int(index - 16) % 6))
    }
  }

  /// A step of the palette's cube of colours, as xterm has it.
  private static func light(_ step: Int) -> Int { step == 0 ? 0 : 55 + step * 40 }
}
