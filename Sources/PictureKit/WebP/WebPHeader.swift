internal import MarketModel

/// What a WebP file says about its picture, or about the first of its pictures.
struct WebPHeader: Hashable {
  let size: PixelSize
  let hasAlpha: Bool
  let isLossless: Bool
  let isAnimated: Bool
  let orientation: PictureOrientation
  /// Where the chunk `VP8 ` or `VP8L` is.
  let image: Range<Int>
  /// Where the alpha channel of a `VP8 ` chunk is, when there is one.
  let alpha: Range<Int>?

  init?(_ bytes: [UInt8]) {
    var parts = Parts()
    parts.collect(RIFFChunks(bytes, in: 12..<Swift.max(12, bytes.count)), of: bytes)
    guard let image = parts.image else { return nil }
    let start = image.payload.lowerBound
    isLossless = image.name == "VP8L"
    if isLossless {
      guard image.payload.count >= 5, bytes[start] == 0x2F,
        let packed = bytes.littleEndian32(at: start + 1)
      else { return nil }
      size = PixelSize(width: (packed & 0x3FFF) + 1, height: (packed >> 14 & 0x3FFF) + 1)
      hasAlpha = packed >> 28 & 1 == 1
      alpha = nil
    } else {
      guard image.payload.count >= 10, let width = bytes.littleEndian16(at: start + 6),
        let height = bytes.littleEndian16(at: start + 8), width & 0x3FFF > 0, height & 0x3FFF > 0
      else { return nil }
      size = PixelSize(width: width & 0x3FFF, height: height & 0x3FFF)
      hasAlpha = parts.alpha != nil
      alpha = parts.alpha?.whole
    }
    self.image = image.whole
    isAnimated = parts.isAnimated
    orientation = parts.orientation
  }
}

/// The chunks that matter; of several pictures those of the first.
private struct Parts {
  var image: RIFFChunks.Chunk?
  var alpha: RIFFChunks.Chunk?
  var isAnimated = false
  var orientation = PictureOrientation.upright

  mutating func collect(_ chunks: RIFFChunks, of bytes: [UInt8]) {
    for chunk in chunks {
      switch chunk.name {
      case "ANMF" where image == nil && chunk.payload.count > 16:
        isAnimated = true
        for part in RIFFChunks(bytes, in: chunk.payload.dropFirst(16)) { noteImage(part) }
      case "EXIF": orientation = EXIFBlock(bytes[chunk.payload])?.orientation ?? .upright
      default: noteImage(chunk)
      }
    }
  }

  private mutating func noteImage(_ chunk: RIFFChunks.Chunk) {
    guard image == nil else { return }
    switch chunk.name {
    case "VP8 ", "VP8L": image = chunk
    case "ALPH": alpha = chunk
    default: break
    }
  }
}
