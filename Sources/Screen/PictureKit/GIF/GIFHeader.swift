internal import MarketModel

/// Header of a GIF file: position and decoding parameters of its first picture (GIF89a, section 17
/// on).
///
/// A frame without pixels is skipped, as in browsers.
struct GIFHeader: Hashable {
  /// Size of the canvas in pixels; the first picture may be smaller.
  let size: PixelSize
  /// Area of the first picture on the canvas.
  let frame: PixelRectangle
  /// Whether the file ends within the first picture.
  let isCut: Bool
  let isInterlaced: Bool
  let isAnimated: Bool
  /// Palette index of the transparent colour; nil where there is none.
  let transparentIndex: UInt8?
  /// Packed flags of the logical screen descriptor.
  let globalFlags: UInt8
  /// Offsets of the global colour table that the flags announce; empty where there is none.
  let globalColors: Range<Int>
  /// Offsets of the first picture's graphic control extension; nil where it has none.
  let control: Range<Int>?
  /// Offsets of the first picture from its flags to its terminator, with colour table and data; of a
  /// truncated picture, only the complete data blocks.
  let image: Range<Int>

  /// Whether any pixel of the canvas is transparent.
  var hasAlpha: Bool {
    transparentIndex != nil || isCut || frame.size != size
  }

  /// Returns nil where the file has no picture with a size.
  init?(_ bytes: [UInt8]) {
    var blocks = GIFBlocks(bytes)
    guard let head = blocks.readScreen() else { return nil }
    globalFlags = head.flags
    globalColors = head.colors

    guard let (found, control) = blocks.firstPicture() else { return nil }
    let numbers = (0..<4).compactMap {
      bytes.littleEndian16(at: found.range.lowerBound + 1 + $0 * 2)
    }
    guard numbers.count == 4 else { return nil }
    // Browsers give a picture without a size the size of the screen.
    let hasSize = numbers[2] > 0 && numbers[3] > 0
    let extent = hasSize ? PixelSize(width: numbers[2], height: numbers[3]) : head.screen
    guard extent.width > 0, extent.height > 0 else { return nil }
    frame = PixelRectangle(
      columns: numbers[0]..<numbers[0] + extent.width,
      rows: numbers[1]..<numbers[1] + extent.height)
    size = PixelSize(
      width: max(head.screen.width, frame.columns.upperBound),
      height: max(head.screen.height, frame.rows.upperBound))
    isCut = found.isCut
    image = found.range.dropFirst(9)
    isInterlaced = bytes[image.lowerBound] & 0x40 != 0
    self.control = control
    transparentIndex = control.flatMap {
      bytes[$0.lowerBound + 3] & 1 == 1 ? bytes[$0.lowerBound + 6] : nil
    }
    isAnimated = blocks.contains(where: \.isImage)
  }

  /// Returns the first picture alone on its canvas, without comments and other extensions; `bytes` is
  /// the file of this header.
  ///
  /// Of a truncated picture, the remaining data is completed to a file with a terminator and a
  /// trailer.
  func bareFile(from bytes: [UInt8]) -> [UInt8] {
    var bare = Array("GIF89a".utf8) + Self.numbers(size.width, size.height)
    bare += [globalFlags, 0, 0] + bytes[globalColors]
    if let control { bare += bytes[control] }
    bare += [0x2C] + Self.numbers(frame.columns.lowerBound, frame.rows.lowerBound)
    bare += Self.numbers(frame.size.width, frame.size.height) + bytes[image]
    if isCut {
      let rest = bytes[image.upperBound...].dropFirst()
      if !rest.isEmpty { bare += [UInt8(rest.count)] + rest }
      bare.append(0)
    }
    return bare + [0x3B]
  }

  /// Encodes numbers as little-endian 16-bit values.
  private static func numbers(_ numbers: Int...) -> [UInt8] {
    numbers.flatMap { [$0, $0 >> 8].map(UInt8.init(truncatingIfNeeded:)) }
  }
}

/// Iterator over the blocks of a GIF file in order; image data is not decoded.
private struct GIFBlocks: Sequence, IteratorProtocol {
  struct Block {
    let introducer: UInt8
    let label: UInt8
    /// Offsets from the introducer to the block's terminator; of a truncated block, to its first
    /// incomplete data block.
    let range: Range<Int>
    let isCut: Bool

    var isImage: Bool { introducer == 0x2C }
    /// Whether it is a graphic control extension of the usual length: a single data block of four
    /// bytes.
    var isGraphicControl: Bool { introducer == 0x21 && label == 0xF9 && range.count == 8 }
  }

  private let bytes: [UInt8]
  private var offset = 13

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// Reads the logical screen descriptor and skips its colour table; call first; nil where the file
  /// ends before that.
  mutating func readScreen() -> (screen: PixelSize, flags: UInt8, colors: Range<Int>)? {
    guard let width = bytes.littleEndian16(at: 6), let height = bytes.littleEndian16(at: 8),
      let flags = bytes.byte(at: 10), bytes.count >= 13
    else { return nil }
    let colors = 13..<13 + Self.colorTableLength(flags)
    guard colors.upperBound <= bytes.count else { return nil }
    offset = colors.upperBound
    return (PixelSize(width: width, height: height), flags, colors)
  }

  /// Returns the next block; nil at the trailer, at an unknown introducer, at a truncated extension,
  /// and after a truncated picture.
  mutating func next() -> Block? {
    guard let introducer = bytes.byte(at: offset), let label = bytes.byte(at: offset + 1) else {
      return nil
    }
    var end: Int
    switch introducer {
    case 0x21: end = offset + 2
    case 0x2C:
      guard let flags = bytes.byte(at: offset + 9) else { return nil }
      end = offset + 10 + Self.colorTableLength(flags) + 1
    default: return nil
    }
    guard end <= bytes.count else { return nil }
    while let length = bytes.byte(at: end), length > 0, end + Int(length) < bytes.count {
      end += 1 + Int(length)
    }
    let isCut = bytes.byte(at: end) != 0
    guard !isCut || introducer == 0x2C else { return nil }
    let start = offset
    offset = isCut ? bytes.count : end + 1
    return Block(
      introducer: introducer, label: label, range: start..<(isCut ? end : end + 1), isCut: isCut)
  }

  /// Reads up to the first image that has pixels and returns it with its control extension.
  ///
  /// Where no image has pixels, returns the first image; nil where the file has no image.
  mutating func firstPicture() -> (image: Block, control: Range<Int>?)? {
    var control: Range<Int>?
    var empty: (image: Block, control: Range<Int>?)?
    while let block = next() {
      if block.isGraphicControl { control = block.range }
      guard block.isImage else { continue }
      if hasPixels(block) { return (block, control) }
      empty = empty ?? (block, control)
      control = nil
    }
    return empty
  }

  /// Whether the LZW data of an image begins with anything but clear codes and the end code (GIF89a,
  /// appendix F).
  private func hasPixels(_ image: Block) -> Bool {
    guard let flags = bytes.byte(at: image.range.lowerBound + 9) else { return false }
    var piece = image.range.lowerBound + 10 + Self.colorTableLength(flags)
    guard let codeSize = bytes.byte(at: piece), (1...11).contains(codeSize) else { return true }
    piece += 1
    let (clear, width) = (1 << Int(codeSize), Int(codeSize) + 1)
    var (bits, count) = (0, 0)
    while let length = bytes.byte(at: piece), length > 0 {
      for position in piece + 1..<piece + 1 + Int(length) {
        guard let byte = bytes.byte(at: position) else { return false }
        bits |= Int(byte) << count
        count += 8
        while count >= width {
          let code = bits & (1 << width - 1)
          if code != clear { return code != clear + 1 }
          bits >>= width
          count -= width
        }
      }
      piece += 1 + Int(length)
    }
    return false
  }

  private static func colorTableLength(_ flags: UInt8) -> Int {
    flags & 0x80 == 0 ? 0 : 3 << (Int(flags & 7) + 1)
  }
}
