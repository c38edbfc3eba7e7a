@testable import TerminalKit

/// A terminal with painted pictures as the tests imagine it: text that is written covers a picture,
/// and a picture that is painted covers text.
///
/// It writes what ncurses would, and at random what ncurses might beside that.
struct PaintedTerminal {
  private let size: CellSize
  private var cells: [Cell]
  private(set) var paintedCells = 0

  init(size: CellSize) {
    self.size = size
    cells = [Cell](repeating: .blank, count: size.count)
  }

  /// Writes the cells of a frame that differ for ncurses, and equal ones between two such that are near
  /// to each other.
  mutating func write(_ canvas: Canvas, since old: Canvas?, through channel: PictureChannel) {
    for row in 0..<size.rows {
      var last: Int?
      for column in 0..<size.columns {
        let position = CellPoint(column: column, row: row)
        let cell = channel.cell(for: canvas[position])
        guard let old, channel.cell(for: old[position]) == cell else {
          if let last, column - last <= 12, Bool.random() {
            for between in last + 1..<column {
              set(channel.cell(for: canvas[CellPoint(column: between, row: row)]), between, row)
            }
          }
          set(cell, column, row)
          last = column
          continue
        }
      }
    }
  }

  /// Takes what a channel paints: inline pictures whose file tells which piece they begin with.
  mutating func paint(_ bytes: [UInt8]) {
    var text = Substring(String(decoding: bytes, as: UTF8.self))
    while let start = text.firstRange(of: "]1337;File=") {
      let before = text[..<start.lowerBound]
      let places = before.split(separator: "\u{1B}[").last?.dropLast(2).split(separator: ";") ?? []
      guard places.count == 2, let row = Int(places[0]), let column = Int(places[1]),
        let colon = text.firstIndex(of: ":"), let end = text.firstIndex(of: "\u{7}")
      else { return }
      let file = KittyReader.decode(text[text.index(after: colon)..<end])
      paint(file.map(Int.init), column: column - 1, row: row - 1)
      text = text[text.index(after: end)...]
    }
  }

  /// The cells that do not show what a canvas has there; pictures in the last row are not expected.
  func wrongCells(_ canvas: Canvas, through channel: PictureChannel) -> [CellPoint] {
    (0..<size.rows).flatMap { row in (0..<size.columns).map { CellPoint(column: $0, row: row) } }
      .filter { position in
        let wanted = canvas[position]
        let isCut = wanted.glyph.piece != nil && position.row == size.rows - 1
        return cells[position.row * size.columns + position.column]
          != (isCut ? channel.cell(for: wanted) : wanted)
      }
  }

  private mutating func paint(_ file: [Int], column: Int, row: Int) {
    for down in 0..<file[4] {
      for right in 0..<file[3] {
        let piece = PicturePiece(
          serial: UInt32(file[0]), column: file[1] + right, row: file[2] + down)
        set(Cell(Glyph(piece), style: .plain), column + right, row + down)
        paintedCells += 1
      }
    }
  }

  private mutating func set(_ cell: Cell, _ column: Int, _ row: Int) {
    cells[row * size.columns + column] = cell
  }
}
