/// Pictures through kitty's protocol: placeholders among the cells, and each picture sent once.
struct KittyChannel {
  private let wrapper: Passthrough
  private let depth: ColorDepth
  /// The upper bits of our pictures' numbers, which keep them apart from those of other programs.
  private let idBase: UInt32
  private var shelf = KittyShelf()
  private var forgotten: [UInt8] = []

  /// - Parameters:
  ///   - wrapper: how commands reach the terminal.
  ///   - depth: 256 colours leave room for eight bits of a number alone.
  ///   - process: tells this program's pictures from those of others.
  init(wrapper: Passthrough, depth: ColorDepth, process: Int32) {
    self.wrapper = wrapper
    self.depth = depth
    // A red of 1 is in no palette: ncurses must state these colours as they are.
    idBase = depth == .direct ? 0x01_0000 | UInt32(truncatingIfNeeded: process) & 0xFF << 8 : 0
  }

  /// Gives the pictures of a frame their numbers.
  mutating func begin(_ canvas: Canvas) {
    let pictures = Self.pictures(of: canvas).map { ($0.serial, $0.picture.decodedByteCount) }
    forgotten += shelf.show(pictures)
  }

  /// What stands in the cell of a piece; a blank where its picture found no room.
  func cell(for piece: PicturePiece) -> Cell {
    guard let number = shelf.number(of: piece.serial) else { return .blank }
    return Cell(KittyPlaceholder.glyph(for: piece), style: Style(foreground: color(of: number)))
  }

  /// What the frame needs beside its cells, up to about `budget` bytes and at least one picture.
  mutating func end(_ canvas: Canvas, budget: Int) -> [UInt8] {
    var bytes = forgotten.flatMap { KittyCommand.delete(id: id($0), wrapper) }
    forgotten = []
    for (serial, size, picture) in Self.pictures(of: canvas) where shelf.isUnsent(serial) {
      guard bytes.count < budget, let number = shelf.number(of: serial) else { break }
      bytes += KittyCommand.send(picture, id: id(number), size: size, wrapper)
      shelf.didSend(serial)
    }
    return bytes
  }

  /// Whether pictures of the frame are still to be sent.
  func isIncomplete(_ canvas: Canvas) -> Bool {
    canvas.pictures.keys.contains(where: shelf.isUnsent)
  }

  /// What frees the terminal's memory.
  mutating func clear() -> [UInt8] {
    shelf.removeAll().flatMap { KittyCommand.delete(id: id($0), wrapper) }
  }

  /// The same for a program that has no time to think.
  var clearingBytes: [UInt8] {
    KittyCommand.delete(
      ids: id(KittyShelf.allNumbers.lowerBound)...id(KittyShelf.allNumbers.upperBound), wrapper)
  }

  private func id(_ number: UInt8) -> UInt32 { idBase | UInt32(number) }

  /// The colour that says which picture a placeholder is of.
  private func color(of number: UInt8) -> Color {
    .rgb(depth == .direct ? RGB(hex: id(number)) : Palette.color(Int32(number)))
  }

  /// In the order in which they were made, so that visible ones come before those ahead.
  private static func pictures(
    of canvas: Canvas
  ) -> [(serial: UInt32, size: CellSize, picture: KittyPicture)] {
    canvas.pictures.values.sorted { $0.serial < $1.serial }.compactMap {
      guard case .kitty(let picture) = $0.content else { return nil }
      return ($0.serial, $0.size, picture)
    }
  }
}
