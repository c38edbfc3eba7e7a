/// Table of ncurses colour pairs: a limited number, shared among all colours shown.
///
/// A pair may be redefined only when no cell on the screen uses it, so the caller passes the used ones
/// before numbers are reused.
struct PairTable {
  /// Two colours by their ncurses numbers; -1 is the terminal's default.
  struct Colors: Hashable {
    let foreground: Int32
    let background: Int32

    static let terminal = Colors(foreground: -1, background: -1)
  }

  private var numbers: [Colors: Int32] = [:]
  /// Colours of each number, the terminal's default pair first; nil for a free number.
  private var colors: [Colors?]
  private var free: [Int32] = []
  private let capacity: Int

  /// Creates a table; `capacity` is the highest pair number.
  init(capacity: Int) {
    self.capacity = capacity
    colors = [.terminal]
    numbers[.terminal] = 0
  }

  /// Returns the number of colours; nil where they have none.
  func number(of wanted: Colors) -> Int32? { numbers[wanted] }

  /// Assigns a number to colours without one, which the caller then defines in ncurses; nil where none
  /// is free.
  ///
  /// `isReused` is true where the number had other colours.
  mutating func assign(_ wanted: Colors) -> (number: Int32, isReused: Bool)? {
    if let number = free.popLast() {
      numbers[wanted] = number
      colors[Int(number)] = wanted
      return (number, true)
    }
    guard colors.count <= capacity else { return nil }
    let number = Int32(colors.count)
    colors.append(wanted)
    numbers[wanted] = number
    return (number, false)
  }

  /// Frees all numbers except those of cells that are shown or about to be, in any order.
  mutating func recycle(keeping used: some Sequence<Int32>) {
    var isUsed = [Bool](repeating: false, count: colors.count)
    isUsed[0] = true
    for number in used { isUsed[Int(number)] = true }
    for (index, isUsed) in isUsed.enumerated() where !isUsed {
      guard let old = colors[index] else { continue }
      numbers[old] = nil
      colors[index] = nil
      free.append(Int32(index))
    }
  }
}

/// Tracker of the colour pair of every cell, from which the reusable pairs follow.
struct PairPainter {
  private let depth: ColorDepth
  private var columns = 0
  private var table: PairTable
  /// Pairs of the cells that the terminal shows.
  private var shown: [Int32] = []
  /// Pairs of the cells of the frame being put.
  private var next: [Int32] = []
  private var last = (style: Style.plain, pair: Int32(0))

  init(depth: ColorDepth, lastPair: Int) {
    self.depth = depth
    table = PairTable(capacity: max(0, lastPair))
  }

  mutating func resize(to size: CellSize) {
    columns = size.columns
    shown = [Int32](repeating: 0, count: size.count)
    next = shown
  }

  /// Moves the pairs of rows of the whole width.
  mutating func move(_ move: MarginScroll) {
    func cells(ofRow row: Int) -> Range<Int> { row * columns..<(row + 1) * columns }
    let rows = move.panel.minRow..<move.panel.maxRow
    for row in rows where rows.contains(row + move.rows) {
      next.replaceSubrange(cells(ofRow: row), with: shown[cells(ofRow: row + move.rows)])
    }
    shown = next
  }

  /// Records that the terminal received the frame.
  mutating func didRefresh() { shown = next }

  /// Returns the pair for a cell at `position`, counted row by row; 0 where no pair is available.
  mutating func pair(for style: Style, at position: Int, in window: NcursesWindow) -> Int32 {
    if style.foreground != last.style.foreground || style.background != last.style.background {
      last = (style, number(for: style, in: window))
    }
    next[position] = last.pair
    return last.pair
  }

  /// Records the last pair for a further cell: a right half, or a repeated cell.
  mutating func repeatLast(at position: Int) { next[position] = last.pair }

  private mutating func number(for style: Style, in window: NcursesWindow) -> Int32 {
    let colors = PairTable.Colors(
      foreground: depth.number(of: style.foreground),
      background: depth.number(of: style.background))
    if let number = table.number(of: colors) { return number }
    guard let new = table.assign(colors) ?? recycled(colors) else { return 0 }
    window.define(pair: new.number, as: colors, isReused: new.isReused)
    return new.number
  }

  private mutating func recycled(
    _ colors: PairTable.Colors
  ) -> (number: Int32, isReused: Bool)? {
    // Both frames count, because ncurses compares the shown cells with the new ones.
    table.recycle(keeping: [shown, next].joined())
    return table.assign(colors)
  }
}
