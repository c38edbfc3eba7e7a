/// Painter of links: writes over each frame of ncurses, which knows no links, the cells that are some.
struct LinkPainter {
  private var shown: Set<LinkRun> = []

  /// The whole screen was cleared.
  mutating func reset() { shown = [] }

  /// The bytes that make links of what a frame has left as text.
  ///
  /// `changed` says whether cells of a row may have been written anew.
  mutating func end(_ canvas: Canvas, changed: (Int) -> Bool) -> [UInt8] {
    guard !canvas.links.isEmpty || !shown.isEmpty else { return [] }
    let runs = LinkRun.runs(of: canvas)
    let missing = runs.filter { !shown.contains($0) || changed($0.point.row) }
    shown = Set(runs)
    guard !missing.isEmpty else { return [] }
    // The cursor and its look go back to where ncurses believes them to be.
    return Array("\u{1B}7\u{1B}[0;4m".utf8) + missing.flatMap(\.bytes) + Array("\u{1B}8".utf8)
  }
}
