/// Channel by which the pieces of pictures on a canvas reach the terminal.
enum PictureChannel {
  /// The terminal shows none.
  case none
  case kitty(KittyChannel)
  case paint(PaintChannel)

  /// Begins a frame, before its cells are put.
  mutating func begin(_ canvas: Canvas) {
    guard case .kitty(var channel) = self else { return }
    channel.begin(canvas)
    self = .kitty(channel)
  }

  /// The cell that ncurses gets for one of a canvas.
  func cell(for cell: Cell) -> Cell {
    guard let piece = cell.glyph.piece else { return cell }
    switch self {
    case .none: return .blank
    case .kitty(let channel): return channel.cell(for: piece)
    case .paint: return PaintChannel.blank
    }
  }

  /// Learns what ncurses writes in a row; nil for `old` where the screen is cleared first.
  mutating func willWrite(row: Int, columns: Range<Int>, of canvas: Canvas, since old: Canvas?) {
    guard case .paint(var channel) = self, let old else { return }
    channel.willWrite(
      row: row,
      where: { column in
        let position = CellPoint(column: column, row: row)
        let (before, after) = (old[position], canvas[position])
        // Blanks on a ground may get the style of their neighbour, and so be written again.
        if after.glyph == .space, !after.style.background.isTerminalDefault { return true }
        return before != after && (before.glyph.piece == nil || after.glyph.piece == nil)
      }, in: columns)
    self = .paint(channel)
  }

  /// The bytes that follow the cells of a frame.
  ///
  /// - Parameters:
  ///   - canvas: the frame.
  ///   - budget: about how many bytes; 0 for none.
  ///   - isSlow: whether small versions of pictures come first, and fine ones when all have come.
  /// - Returns: the bytes, none where nothing is missing.
  mutating func end(_ canvas: Canvas, budget: Int, isSlow: Bool = false) -> [UInt8] {
    guard budget > 0 else { return [] }
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

  /// Whether something of a frame is still to come.
  func isIncomplete(_ canvas: Canvas) -> Bool {
    switch self {
    case .none: false
    case .kitty(let channel): channel.isIncomplete(canvas)
    case .paint(let channel): channel.isIncomplete(canvas)
    }
  }

  /// The screen is cleared; kitty keeps its pictures meanwhile.
  mutating func reset(size: CellSize) {
    guard case .paint(var channel) = self else { return }
    channel.reset(size: size)
    self = .paint(channel)
  }

  /// Takes the pictures out of the terminal, which is about to be given back.
  mutating func clear() -> [UInt8] {
    guard case .kitty(var channel) = self else { return clearingBytes }
    defer { self = .kitty(channel) }
    return channel.clear()
  }

  /// The same for a program that has no time to think.
  var clearingBytes: [UInt8] {
    switch self {
    case .none: []
    case .kitty(let channel): channel.clearingBytes
    case .paint: Array("\u{1B}[2J".utf8)
    }
  }
}
