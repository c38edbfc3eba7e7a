/// Channel by which the pictures of a canvas reach the terminal.
enum PictureChannel {
  /// The terminal shows no pictures of pixels.
  case none
  case kitty(KittyChannel)
  case paint(PaintChannel)

  /// How painted pictures are erased; nil without any.
  var erasure: PictureErasure? {
    if case .paint(let channel) = self { channel.erasure } else { nil }
  }

  /// Begins a frame, before its cells are put.
  mutating func begin(_ canvas: Canvas) {
    guard case .kitty(var channel) = self else { return }
    channel.begin(canvas)
    self = .kitty(channel)
  }

  /// Returns the cell that ncurses gets for one of a canvas.
  func cell(for cell: Cell) -> Cell {
    guard let piece = cell.glyph.piece else { return cell }
    switch self {
    case .none: return .blank
    case .kitty(let channel): return channel.cell(for: piece)
    case .paint: return PaintChannel.blank
    }
  }

  /// Records the cells that ncurses writes in a row; `old` is nil where the screen is cleared first.
  mutating func willWrite(row: Int, columns: Range<Int>, of canvas: Canvas, since old: Canvas?) {
    guard case .paint(var channel) = self, let old else { return }
    channel.willWrite(
      row: row,
      where: { column in
        let position = CellPoint(column: column, row: row)
        let (before, after) = (old[position], canvas[position])
        // Blanks on a background may get their neighbour's style, and so be rewritten.
        if after.glyph == .space, !after.style.background.isTerminalDefault { return true }
        return before != after && (before.glyph.piece == nil || after.glyph.piece == nil)
      }, in: columns)
    self = .paint(channel)
  }

  /// Ends a frame with the pictures that are still missing.
  ///
  /// - Parameters:
  ///   - canvas: the frame.
  ///   - budget: approximate maximum bytes; 0 for none.
  ///   - isSlow: true sends drafts of all pictures before full ones.
  /// - Returns: the bytes to write after the cells of the frame; empty where nothing is missing.
  mutating func end(_ canvas: Canvas, budget: Int, isSlow: Bool = false) -> [UInt8] {
    guard budget > 0 || isErasing else { return [] }
    switch self {
    case .none: return []
    case .kitty(var channel):
      defer { self = .kitty(channel) }
      return channel.end(canvas, budget: budget, isSlow: isSlow)
    case .paint(var channel):
      defer { self = .paint(channel) }
      return channel.end(canvas, budget: budget, isSlow: isSlow)
    }
  }

  private var isErasing: Bool {
    if case .paint(let channel) = self { channel.isErasing } else { false }
  }

  /// Whether parts of a frame's pictures are outstanding.
  func isIncomplete(_ canvas: Canvas) -> Bool {
    switch self {
    case .none: false
    case .kitty(let channel): channel.isIncomplete(canvas)
    case .paint(let channel): channel.isIncomplete(canvas)
    }
  }

  /// Whether the terminal may still confirm pictures that would otherwise be sent again.
  var isWaiting: Bool { if case .kitty(let channel) = self { channel.isWaiting } else { false } }

  /// Takes a reply of kitty's protocol.
  mutating func didReceive(_ reply: String, at time: ContinuousClock.Instant) {
    guard case .kitty(var channel) = self else { return }
    channel.didReceive(reply, at: time)
    self = .kitty(channel)
  }

  /// Takes pictures for lost, to be sent again, where the terminal has confirmed nothing for a time.
  mutating func loseUnconfirmed(after limit: Duration, at time: ContinuousClock.Instant) {
    guard case .kitty(var channel) = self else { return }
    channel.loseUnconfirmed(after: limit, at: time)
    self = .kitty(channel)
  }

  /// Resets the record of painted pictures for a cleared screen; kitty keeps its pictures.
  mutating func reset(size: CellSize) {
    guard case .paint(var channel) = self else { return }
    channel.reset(size: size)
    self = .paint(channel)
  }

  /// Returns the bytes that remove the pictures before the terminal is restored.
  mutating func clear() -> [UInt8] {
    guard case .kitty(var channel) = self else { return clearingBytes }
    defer { self = .kitty(channel) }
    return channel.clear()
  }

  /// Bytes that remove all pictures, for the guard that runs at any end of the process.
  var clearingBytes: [UInt8] {
    switch self {
    case .none: []
    case .kitty(let channel): channel.clearingBytes
    case .paint: Array("\u{1B}[2J".utf8)
    }
  }
}
