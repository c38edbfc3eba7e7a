/// Painter of links: after each frame, writes link cells again with OSC 8, which ncurses does not
/// support.
struct LinkPainter {
  private var shown: Set<LinkRun> = []

  /// Forgets the links on the terminal; call when the screen was cleared.
  mutating func reset() { shown = [] }

  /// Returns the bytes that make links of cells that a frame has written as text.
  ///
  /// `changed` returns true for a row of which cells may have been rewritten.
  mutating func end(_ canvas: Canvas, changed: (Int) -> Bool) -> [UInt8] {
    guard !canvas.links.isEmpty || !shown.isEmpty else { return [] }
    let runs = LinkRun.runs(of: canvas)
    let missing = runs.filter { !shown.contains($0) || changed($0.point.row) }
    shown = Set(runs)
    guard !missing.isEmpty else { return [] }
    // ncurses assumes its own cursor and attributes, so both are restored.
    return Array("\u{1B}7\u{1B}[0;4m".utf8) + missing.flatMap(\.bytes) + Array("\u{1B}8".utf8)
  }
}
