/// The pictures that a terminal keeps and shows beside its text.
///
/// Sixels lie over the cells and go where text is written; kitty's pictures are kept under their
/// numbers and show wherever placeholders name them.
package struct PictureLayer: Sendable {
  /// The pixels of each cell under sixels, by row and column.
  package private(set) var painted: [[Int]: [[Int]]] = [:]
  /// Kitty's pictures: how many bytes came for each number.
  package private(set) var kept: [Int: Int] = [:]
  /// How many pictures were sent or painted.
  package private(set) var transfers = 0
  /// How many of Kitty's pictures were sent that the terminal had as fine already.
  package private(set) var repeats = 0
  /// The answer to the last unit of output, where that ended a picture and asked for one.
  package private(set) var confirmation: String?
  /// What would move pictures along with text, or lead out of the window.
  package private(set) var mistakes: [String] = []
  private var size: TerminalSize
  private let cell: (width: Int, height: Int)
  /// The rows that scroll, as the program has set them.
  private var region: Range<Int>
  private var open: (id: Int, count: Int, isQuiet: Bool)?

  package init(size: TerminalSize, cell: (width: Int, height: Int)) {
    self.size = size
    self.cell = cell
    region = 0..<size.rows
  }

  package mutating func resize(to size: TerminalSize) {
    self.size = size
    region = 0..<size.rows
    painted = painted.filter { $0.key[0] < size.rows && $0.key[1] < size.columns }
  }

  /// Takes one unit of output.
  ///
  /// - Parameters:
  ///   - token: the unit.
  ///   - start: where the cursor was before it.
  ///   - end: where it is after it.
  package mutating func take(
    _ token: OutputToken, from start: (row: Int, column: Int), to end: (row: Int, column: Int)
  ) {
    confirmation = nil
    switch token.kind {
    case .text: erase(start, to: end)
    case .controlString where token.bytes[1] == UInt8(ascii: "P") && token.body.contains("q\""):
      paint(token.bytes, at: start)
    case .controlString where token.body.hasPrefix("G"): keep(token.body.dropFirst())
    case .controlSequence: take(token.body, from: start, to: end)
    case .escape where token.body.isEmpty && token.bytes.last == UInt8(ascii: "M"):
      noteMove("reverse index")
      if start.row == region.lowerBound { scroll(region, down: 1) }
    default: break
    }
  }

  private mutating func take(
    _ body: Substring, from start: (row: Int, column: Int), to end: (row: Int, column: Int)
  ) {
    let number = Int(body.dropLast()) ?? 0
    switch body.last {
    case "b": erase(start, to: end)
    case "K" where number == 0: erase(row: start.row, start.column..<size.columns)
    case "K" where number == 1: erase(row: start.row, 0..<start.column + 1)
    case "K": erase(row: start.row, 0..<size.columns)
    case "J" where number == 0:
      erase(row: start.row, start.column..<size.columns)
      for row in start.row + 1..<max(start.row + 1, size.rows) { erase(row: row, 0..<size.columns) }
    case "J": painted = [:]
    case "X": erase(row: start.row, start.column..<start.column + max(1, number))
    case "@", "P", "L", "M", "S", "T":
      guard !body.hasPrefix("?") else { return }
      noteMove(String(body))
      let below = start.row..<max(start.row, region.upperBound)
      switch body.last {
      case "S": scroll(region, down: -max(1, number))
      case "T": scroll(region, down: max(1, number))
      case "M": scroll(below, down: -max(1, number))
      case "L": scroll(below, down: max(1, number))
      default: break
      }
    case "r" where !body.hasPrefix("?"):
      let ends = body.dropLast().split(separator: ";").compactMap { Int($0) }
      region = ends.count == 2 ? ends[0] - 1..<ends[1] : 0..<size.rows
    case "h" where body == "?1049h", "l" where body == "?1049l": painted = [:]
    default: break
    }
  }

  /// Moves the pictures of some rows along with their text; what leaves the rows is gone.
  private mutating func scroll(_ rows: Range<Int>, down count: Int) {
    let moved = painted.filter { rows.contains($0.key[0]) }
    for place in moved.keys { painted[place] = nil }
    for (place, pixels) in moved where rows.contains(place[0] + count) {
      painted[[place[0] + count, place[1]]] = pixels
    }
  }

  private mutating func noteMove(_ what: String) {
    if !painted.isEmpty { mistakes.append("moves pictures: \(what)") }
  }

  private mutating func erase(_ start: (row: Int, column: Int), to end: (row: Int, column: Int)) {
    // After the last column the cursor rests on it.
    let isAtEdge = end.row != start.row || end.column == size.columns - 1
    erase(row: start.row, start.column..<(isAtEdge ? size.columns : max(end.column, start.column)))
  }

  private mutating func erase(row: Int, _ columns: Range<Int>) {
    for column in columns { painted[[row, column]] = nil }
  }

  private mutating func paint(_ bytes: [UInt8], at position: (row: Int, column: Int)) {
    transfers += 1
    let picture = SixelReader(bytes)
    mistakes += picture.mistakes
    for row in 0..<picture.height / cell.height {
      for column in 0..<picture.width / cell.width {
        let target = [position.row + row, position.column + column]
        if target[0] >= size.rows - 1 || target[1] >= size.columns {
          mistakes.append("painted at \(target)")
        }
        painted[target] = (0..<cell.height * cell.width).map { index in
          picture.pixels[
            [column * cell.width + index % cell.width, row * cell.height + index / cell.width]]
            ?? []
        }
      }
    }
  }

  private mutating func keep(_ command: Substring) {
    let parts = command.split(separator: ";", maxSplits: 1)
    let pairs = parts[0].split(separator: ",").map { $0.split(separator: "=") }
    let control = Dictionary(pairs.map { ($0[0], $0[1]) }) { $1 }
    let id = control["i"].flatMap { Int($0) }
    switch (control["a"], id) {
    case ("T", let id?): open = (id, 0, control["q"] == "2")
    case ("d", let id?): kept[id] = nil
    case (nil, _): break
    default: return
    }
    guard control["a"] != "d", let (id, before, isQuiet) = open else { return }
    let count = before + (parts.count > 1 ? parts[1].utf8.count : 0)
    open = control["m"] == "1" ? (id, count, isQuiet) : nil
    if open == nil {
      if !isQuiet { confirmation = "\u{1b}_Gi=\(id);OK\u{1b}\\" }
      // A small version comes first on a slow line, and a busy machine passes for one.
      if let before = kept[id], count <= before { repeats += 1 }
      kept[id] = count
      transfers += 1
    }
  }
}
