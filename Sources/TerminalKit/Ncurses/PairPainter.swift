/// Knows the colour pair of every cell, and so which pairs may be given other colours.
struct PairPainter {
  private let depth: ColorDepth
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
    shown = [Int32](repeating: 0, count: size.count)
    next = shown
  }

  /// The frame that was put is on the terminal now.
  mutating func didRefresh() { shown = next }

  /// The pair for a cell at `place`, counted row by row; 0 where no pair can be had.
  mutating func pair(for style: Style, at place: Int, in window: NcursesWindow) -> Int32 {
    if style.foreground != last.style.foreground || style.background != last.style.background {
      last = (style, number(for: style, in: window))
    }
    next[place] = last.pair
    return last.pair
  }

  /// The right half of the glyph that was asked for last.
  mutating func repeatLast(at place: Int) { next[place] = last.pair }

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
