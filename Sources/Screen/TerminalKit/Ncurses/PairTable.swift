/// Table of the colour pairs of ncurses: a limited number of them, shared among all colours ever
/// shown.
///
/// A pair may get other colours only when no cell of the screen has it any more, so the caller says
/// which are in use before numbers are given out anew.
struct PairTable {
  /// Two colours as ncurses numbers them; -1 is the terminal's own.
  struct Colors: Hashable {
    let foreground: Int32
    let background: Int32

    static let terminal = Colors(foreground: -1, background: -1)
  }

  private var numbers: [Colors: Int32] = [:]
  /// The colours of each number; index 0 is the terminal's own pair.
  private var colors: [Colors?]
  private var free: [Int32] = []
  private let capacity: Int

  /// Takes the highest pair number there is.
  init(capacity: Int) {
    self.capacity = capacity
    colors = [.terminal]
    numbers[.terminal] = 0
  }

  /// The number that the colours have already.
  func number(of wanted: Colors) -> Int32? { numbers[wanted] }

  /// Gives colours without a number one, which then must be told to ncurses, and says whether it
  /// had other colours before; nil when none is free.
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

  /// Frees all numbers but those in use: of cells that are shown or about to be, in any order.
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

/// Painter that knows the colour pair of every cell, and so which pairs may be given other colours.
struct PairPainter {
  private let depth: ColorDepth
  private var columns = 0
  private var table: PairTable
  /// The pairs that the terminal shows, and those of the frame being put.
  private var shown: [Int32] = []
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

  /// Rows of the whole width were moved.
  mutating func move(_ move: MarginScroll) {
    func cells(ofRow row: Int) -> Range<Int> { row * columns..<(row + 1) * columns }
    let rows = move.panel.minRow..<move.panel.maxRow
    for row in rows where rows.contains(row + move.rows) {
      next.replaceSubrange(cells(ofRow: row), with: shown[cells(ofRow: row + move.rows)])
    }
    shown = next
  }

  /// The frame that was put is on the terminal now.
  mutating func didRefresh() { shown = next }

  /// The pair for a cell at `place`, counted row by row; 0 where no pair can be had.
  mutating func pair(for style: Style, at position: Int, in window: NcursesWindow) -> Int32 {
    if style.foreground != last.style.foreground || style.background != last.style.background {
      last = (style, number(for: style, in: window))
    }
    next[position] = last.pair
    return last.pair
  }

  /// The right half of the glyph that was asked for last.
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
    // Both frames count: ncurses compares what is shown with what comes.
    table.recycle(keeping: [shown, next].joined())
    return table.assign(colors)
  }
}
