internal import MarketModel

/// Where the first picture of a GIF file is and what is needed to decode it (GIF89a, section 17 on).
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
}
