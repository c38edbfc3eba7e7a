internal import MarketModel

/// Header of a GIF file: where its first picture is and what is needed to decode it (GIF89a,
/// section 17 on).
struct GIFHeader: Hashable {
  let size: PixelSize
  let isInterlaced: Bool
  let isAnimated: Bool
  /// The colour that is shown as nothing.
  let transparentIndex: UInt8?
  /// The byte of flags behind the size of the screen, and the colour table that they announce.
  let globalFlags: UInt8
  let globalColours: Range<Int>
  /// The graphic control extension of the first picture, when it has one.
  let control: Range<Int>?
  /// The flags of the first picture, then its colour table, data and the zero that ends it.
  let image: Range<Int>

  init?(_ bytes: [UInt8]) {
    var blocks = GIFBlocks(bytes)
    guard let head = blocks.readScreen() else { return nil }
    globalFlags = head.flags
    globalColours = head.colours

    var control: Range<Int>?
    var found: GIFBlocks.Block?
    while let block = blocks.next() {
      if block.isImage {
        found = block
        break
      }
      if block.isGraphicControl { control = block.range }
    }
    guard let found, let width = bytes.littleEndian16(at: found.range.lowerBound + 5),
      let height = bytes.littleEndian16(at: found.range.lowerBound + 7), width > 0, height > 0
    else { return nil }
    size = PixelSize(width: width, height: height)
    image = found.range.dropFirst(9)
    isInterlaced = bytes[image.lowerBound] & 0x40 != 0
    self.control = control
    transparentIndex = control.flatMap {
      bytes[$0.lowerBound + 3] & 1 == 1 ? bytes[$0.lowerBound + 6] : nil
    }
    isAnimated = blocks.contains(where: \.isImage)
  }

  /// The first picture alone on a screen of its own size, without comments and other extensions;
  /// `bytes` is the file of this header.
  func bareFile(from bytes: [UInt8]) -> [UInt8] {
    let extents = [size.width, size.width >> 8, size.height, size.height >> 8]
      .map(UInt8.init(truncatingIfNeeded:))
    let noOffset: [UInt8] = [0, 0, 0, 0]
    var bare = Array("GIF89a".utf8) + extents + [globalFlags, 0, 0] + bytes[globalColours]
    if let control { bare += bytes[control] }
    return bare + [0x2C] + noOffset + extents + bytes[image] + [0x3B]
  }
}

/// The blocks of a GIF file in order, without a look at what is coded in them.
private struct GIFBlocks: Sequence, IteratorProtocol {
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
