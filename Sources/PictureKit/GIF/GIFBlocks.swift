/// The blocks of a GIF file in order, without a look at what is coded in them.
struct GIFBlocks: Sequence, IteratorProtocol {
  struct Block {
    let introducer: UInt8
    let label: UInt8
    /// From the introducer to the zero that ends the block.
    let range: Range<Int>

    var isImage: Bool { introducer == 0x2C }
    /// The usual one alone: a block of four bytes.
    var isGraphicControl: Bool { introducer == 0x21 && label == 0xF9 && range.count == 8 }
  }

  private let bytes: [UInt8]
  private var offset = 13

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// Reads the logical screen's flags and passes over its colour table; to be called first.
  mutating func readScreen() -> (flags: UInt8, colours: Range<Int>)? {
    guard let flags = bytes.byte(at: 10), bytes.count >= 13 else { return nil }
    let colours = 13..<13 + Self.colourTableLength(flags)
    guard colours.upperBound <= bytes.count else { return nil }
    offset = colours.upperBound
    return (flags, colours)
  }

  /// Ends before the trailer, anything unknown, or the first block that is cut off.
  mutating func next() -> Block? {
    guard let introducer = bytes.byte(at: offset), let label = bytes.byte(at: offset + 1) else {
      return nil
    }
    var end: Int
    switch introducer {
    case 0x21: end = offset + 2
    case 0x2C:
      guard let flags = bytes.byte(at: offset + 9) else { return nil }
      end = offset + 10 + Self.colourTableLength(flags) + 1
    default: return nil
    }
    while let length = bytes.byte(at: end), length > 0 { end += 1 + Int(length) }
    guard end < bytes.count else { return nil }
    defer { offset = end + 1 }
    return Block(introducer: introducer, label: label, range: offset..<end + 1)
  }

  private static func colourTableLength(_ flags: UInt8) -> Int {
    flags & 0x80 == 0 ? 0 : 3 << (Int(flags & 7) + 1)
  }
}
