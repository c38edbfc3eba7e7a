import TerminalTestSupport

/// What a session shows at one moment: cells, and the pixels of pictures over them.
struct DemoScreen {
  let size: TerminalSize
  private let cells: [[TerminalCell]]
  /// The pixels of cells under pictures, by row and column.
  private let painted: [[Int]: [[Int]]]

  init(_ session: TerminalSession) {
    let size = session.screen.size
    self.size = size
    cells = (0..<size.rows).map { row in
      (0..<size.columns).map { session.screen.cell(row: row, column: $0) }
    }
    painted = session.pictures.painted
  }

  subscript(row: Int, column: Int) -> TerminalCell { cells[row][column] }

  /// The colours of a cell, by whether it is reversed; the second half of a wide one has none itself.
  func colors(row: Int, column: Int) -> (foreground: TourColor, background: TourColor) {
    let isSecondHalf = column > 0 && cells[row][column - 1].width == 2
    let cell = cells[row][isSecondHalf ? column - 1 : column]
    let foreground = TourColor(cell.foreground, otherwise: .text)
    let background = TourColor(cell.background, otherwise: .ground)
    return cell.isReversed ? (background, foreground) : (foreground, background)
  }

  /// The pixels of a cell under a picture, rows top to bottom; none where there is no picture.
  func pixels(row: Int, column: Int) -> [[Int]]? { painted[[row, column]] }

  /// The rectangles of cells under pictures, from the top left.
  var pictures: [(rows: Range<Int>, columns: Range<Int>)] {
    var found: [(rows: Range<Int>, columns: Range<Int>)] = []
    for row in 0..<size.rows {
      for column in 0..<size.columns where isPainted(row, column) {
        guard !found.contains(where: { $0.rows.contains(row) && $0.columns.contains(column) })
        else { continue }
        let right = (column..<size.columns).first { !isPainted(row, $0) } ?? size.columns
        let bottom = (row..<size.rows).first { !isPainted($0, column) } ?? size.rows
        found.append((row..<bottom, column..<right))
      }
    }
    return found
  }

  private func isPainted(_ row: Int, _ column: Int) -> Bool { painted[[row, column]] != nil }
}

/// A colour of the picture, each part 0 to 255.
struct TourColor: Hashable {
  let red: UInt8
  let green: UInt8
  let blue: UInt8

  static let ground = TourColor(red: 0x1e, green: 0x1e, blue: 0x1e)
  static let text = TourColor(red: 0xd4, green: 0xd4, blue: 0xd4)

  init(red: UInt8, green: UInt8, blue: UInt8) {
    self.red = red
    self.green = green
    self.blue = blue
  }

  init(_ color: TerminalCell.Color, otherwise standard: TourColor) {
    switch color {
    case .terminalDefault: self = standard
    case .rgb(let red, let green, let blue): self.init(red: red, green: green, blue: blue)
    case .indexed(let index): self.init(index: Int(index))
    }
  }

  /// A colour of xterm's palette of 256.
  private init(index: Int) {
    switch index {
    case 0..<16:
      let level: UInt8 = index < 8 ? 0xcd : 0xff
      self.init(
        red: index & 1 == 0 ? 0 : level, green: index & 2 == 0 ? 0 : level,
        blue: index & 4 == 0 ? 0 : level)
    case 16..<232:
      let levels: [UInt8] = [0, 95, 135, 175, 215, 255]
      let position = index - 16
      self.init(
        red: levels[position / 36], green: levels[position / 6 % 6], blue: levels[position % 6])
    default:
      let gray = UInt8(8 + (index - 232) * 10)
      self.init(red: gray, green: gray, blue: gray)
    }
  }

  var hexadecimal: String {
    "#" + [red, green, blue].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
