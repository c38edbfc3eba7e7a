/// Channel of pictures through kitty's protocol: placeholders in the cells, and each picture sent once.
struct KittyChannel {
  private let wrapper: Passthrough
  private let depth: ColorDepth
  /// Upper bits of the picture ids, which separate them from those of other programs.
  private let idBase: UInt32
  private var registry = KittyImageRegistry()
  private var forgotten: [UInt8] = []
  /// Remaining commands of the picture being sent; other commands of the protocol must not come
  /// between.
  private var rest: ArraySlice<[UInt8]> = []

  /// Creates a channel; with 256 colours ids have only eight bits, with more `process` separates this
  /// program's ids from those of others.
  init(wrapper: Passthrough, depth: ColorDepth, process: Int32) {
    self.wrapper = wrapper
    self.depth = depth
    // A red of 1 is in no palette, so ncurses emits these colours unchanged.
    idBase = depth == .direct ? 0x01_0000 | UInt32(truncatingIfNeeded: process) & 0xFF << 8 : 0
  }

  /// Assigns ids to the pictures of a frame.
  mutating func begin(_ canvas: Canvas) {
    let pictures = Self.pictures(of: canvas).map { ($0.serial, $0.picture.decodedByteCount) }
    forgotten += registry.show(pictures)
  }

  /// Returns the cell of a piece; a blank where its picture has no id.
  func cell(for piece: PicturePiece) -> Cell {
    guard let number = registry.number(of: piece.serial) else { return .blank }
    return Cell(KittyPlaceholder.glyph(for: piece), style: Style(foreground: color(of: number)))
  }

  /// Returns the picture commands of the frame, up to about `budget` bytes and at least one; on a slow
  /// connection, drafts come before full pictures.
  mutating func end(_ canvas: Canvas, budget: Int, isSlow: Bool) -> [UInt8] {
    var bytes: [UInt8] = []
    sendRest(budget, &bytes)
    guard rest.isEmpty else { return bytes }
    bytes += forgotten.flatMap { KittyCommand.delete(id: id($0), wrapper) }
    forgotten = []
    let pictures = Self.pictures(of: canvas)
    for (serial, size, picture) in pictures where registry.isUnsent(serial) {
      guard bytes.count < budget, rest.isEmpty else { return bytes }
      send(serial, isSlow ? picture.draft : nil, else: picture, size, budget, &bytes)
    }
    for (serial, size, picture) in pictures where registry.isDraft(serial) {
      guard bytes.count < budget, rest.isEmpty else { return bytes }
      send(serial, nil, else: picture, size, budget, &bytes)
    }
    return bytes
  }

  /// Starts sending a picture, or its draft.
  private mutating func send(
    _ serial: UInt32, _ draft: [UInt8]?, else picture: KittyPicture, _ size: CellSize,
    _ budget: Int, _ bytes: inout [UInt8]
  ) {
    guard let number = registry.number(of: serial) else { return }
    rest = KittyCommand.send(draft ?? picture.file, id: id(number), size: size, wrapper)[...]
    registry.didSend(serial, asDraft: draft != nil, at: wrapper == .tmux ? .now : nil)
    sendRest(budget, &bytes)
  }

  private mutating func sendRest(_ budget: Int, _ bytes: inout [UInt8]) {
    while bytes.count < budget, let command = rest.popFirst() { bytes += command }
  }

  /// Whether pictures of the frame are unsent, or sent only as drafts.
  func isIncomplete(_ canvas: Canvas) -> Bool {
    !rest.isEmpty
      || canvas.pictures.keys.contains { registry.isUnsent($0) || registry.isDraft($0) }
  }

  /// Whether the terminal may still confirm pictures that would otherwise be sent again.
  var isWaiting: Bool { registry.isWaiting }

  /// Takes a reply of the protocol, such as `i=65553;OK`.
  mutating func didReceive(_ reply: String, at time: ContinuousClock.Instant) {
    guard reply.hasPrefix("i="),
      let id = UInt32(reply.dropFirst(2).prefix { $0.isNumber }), id & ~0xFF == idBase
    else { return }
    let number = UInt8(truncatingIfNeeded: id)
    if reply.hasSuffix(";OK") {
      registry.didConfirm(number, at: time)
    } else {
      registry.lose(number)
    }
  }

  /// Takes pictures for lost, to be sent again, where the terminal has confirmed nothing for a time.
  mutating func loseUnconfirmed(after limit: Duration, at time: ContinuousClock.Instant) {
    if rest.isEmpty { registry.loseUnconfirmed(after: limit, at: time) }
  }

  /// Returns the commands that delete the pictures from the terminal's memory.
  mutating func clear() -> [UInt8] {
    // The last command ends the picture being sent, which stays incomplete.
    let ending = rest.last ?? []
    rest = []
    return ending + registry.removeAll().flatMap { KittyCommand.delete(id: id($0), wrapper) }
  }

  /// Command that deletes the pictures of all ids, for the guard that runs at any end of the process.
  var clearingBytes: [UInt8] {
    KittyCommand.delete(
      ids: id(
        KittyImageRegistry.allNumbers.lowerBound)...id(KittyImageRegistry.allNumbers.upperBound),
      wrapper)
  }

  private func id(_ number: UInt8) -> UInt32 { idBase | UInt32(number) }

  /// Colour by which a placeholder names its picture.
  private func color(of number: UInt8) -> Color {
    .rgb(depth == .direct ? RGB(hex: id(number)) : Palette.color(Int32(number)))
  }

  /// Pictures in order of creation, so that visible ones come before prefetched ones.
  private static func pictures(
    of canvas: Canvas
  ) -> [(serial: UInt32, size: CellSize, picture: KittyPicture)] {
    canvas.pictures.values.sorted { $0.serial < $1.serial }.compactMap {
      guard case .kitty(let picture) = $0.content else { return nil }
      return ($0.serial, $0.size, picture)
    }
  }
}

/// Placeholders of kitty's protocol ("Unicode placeholders"): ordinary text, which scrolls and is
/// covered like any other.
enum KittyPlaceholder {
  /// Returns the placeholder with combining marks for row and column; its colour names the picture.
  static func glyph(for piece: PicturePiece) -> Glyph {
    let position = UInt64(marks[piece.row]) << 21 | UInt64(marks[piece.column]) << 42
    return Glyph(low: UInt64(Glyph.placeholder) | position, high: 0)
  }

  /// Combining marks that encode the numbers from 0 on.
  ///
  /// These are the marks above a letter in Unicode 6.0, except those that normalization composes with
  /// the letter.
  static let marks: [UInt32] = ranges.flatMap { Array($0) }

  private static let ranges: [ClosedRange<UInt32>] = [
    0x0305...0x0305, 0x030D...0x030D, 0x030E...0x030E, 0x0310...0x0310, 0x0312...0x0312,
    0x033D...0x033D, 0x033E...0x033E, 0x033F...0x033F, 0x0346...0x0346, 0x034A...0x034A,
    0x034B...0x034B, 0x034C...0x034C, 0x0350...0x0350, 0x0351...0x0351, 0x0352...0x0352,
    0x0357...0x0357, 0x035B...0x035B, 0x0363...0x036F, 0x0483...0x0487, 0x0592...0x0595,
    0x0597...0x0599, 0x059C...0x05A1, 0x05A8...0x05A8, 0x05A9...0x05A9, 0x05AB...0x05AB,
    0x05AC...0x05AC, 0x05AF...0x05AF, 0x05C4...0x05C4, 0x0610...0x0617, 0x0657...0x065B,
    0x065D...0x065D, 0x065E...0x065E, 0x06D6...0x06DC, 0x06DF...0x06E2, 0x06E4...0x06E4,
    0x06E7...0x06E7, 0x06E8...0x06E8, 0x06EB...0x06EB, 0x06EC...0x06EC, 0x0730...0x0730,
    0x0732...0x0732, 0x0733...0x0733, 0x0735...0x0735, 0x0736...0x0736, 0x073A...0x073A,
    0x073D...0x073D, 0x073F...0x0741, 0x0743...0x0743, 0x0745...0x0745, 0x0747...0x0747,
    0x0749...0x0749, 0x074A...0x074A, 0x07EB...0x07F1, 0x07F3...0x07F3, 0x0816...0x0819,
    0x081B...0x0823, 0x0825...0x0827, 0x0829...0x082D, 0x0951...0x0951, 0x0953...0x0953,
    0x0954...0x0954, 0x0F82...0x0F82, 0x0F83...0x0F83, 0x0F86...0x0F86, 0x0F87...0x0F87,
    0x135D...0x135F, 0x17DD...0x17DD, 0x193A...0x193A, 0x1A17...0x1A17, 0x1A75...0x1A7C,
    0x1B6B...0x1B6B, 0x1B6D...0x1B73, 0x1CD0...0x1CD2, 0x1CDA...0x1CDA, 0x1CDB...0x1CDB,
    0x1CE0...0x1CE0, 0x1DC0...0x1DC0, 0x1DC1...0x1DC1, 0x1DC3...0x1DC9, 0x1DCB...0x1DCB,
    0x1DCC...0x1DCC, 0x1DD1...0x1DE6, 0x1DFE...0x1DFE, 0x20D0...0x20D0, 0x20D1...0x20D1,
    0x20D4...0x20D7, 0x20DB...0x20DB, 0x20DC...0x20DC, 0x20E1...0x20E1, 0x20E7...0x20E7,
    0x20E9...0x20E9, 0x20F0...0x20F0, 0x2CEF...0x2CF1, 0x2DE0...0x2DFF, 0xA66F...0xA66F,
    0xA67C...0xA67C, 0xA67D...0xA67D, 0xA6F0...0xA6F0, 0xA6F1...0xA6F1, 0xA8E0...0xA8F1,
  ]
}
