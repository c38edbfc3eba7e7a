internal import MarketModel

/// Header of a WebP file; of an animation, that of its first frame.
struct WebPHeader: Hashable {
  /// Size of the canvas in pixels; the first frame may be smaller.
  let size: PixelSize
  /// Area of the first frame on the canvas.
  let frame: PixelRectangle
  /// Whether the file ends within the first frame.
  let isCut: Bool
  let hasAlpha: Bool
  let isLossless: Bool
  let isAnimated: Bool
  let orientation: PictureOrientation
  let colors: ColorSource?
  /// Offsets of the chunk `VP8 ` or `VP8L`; of a truncated chunk, those that are present.
  let image: Range<Int>
  /// Offsets of the `ALPH` chunk that belongs to a `VP8 ` chunk; nil where there is none.
  let alpha: Range<Int>?

  var fillsCanvas: Bool { frame.size == size }

  /// Returns nil where there is no image chunk, or its header is broken.
  init?(_ bytes: [UInt8]) {
    var parts = Parts()
    parts.collect(RIFFChunks(bytes, in: 12..<Swift.max(12, bytes.count)), of: bytes)
    guard let image = parts.image else { return nil }
    let start = image.payload.lowerBound
    let extent: PixelSize
    let hasOwnAlpha: Bool
    isLossless = image.name == "VP8L"
    if isLossless {
      guard image.payload.count >= 5, bytes[start] == 0x2F,
        let packed = bytes.littleEndian32(at: start + 1)
      else { return nil }
      extent = PixelSize(width: (packed & 0x3FFF) + 1, height: (packed >> 14 & 0x3FFF) + 1)
      hasOwnAlpha = packed >> 28 & 1 == 1
      alpha = nil
    } else {
      guard image.payload.count >= 10, let width = bytes.littleEndian16(at: start + 6),
        let height = bytes.littleEndian16(at: start + 8), width & 0x3FFF > 0, height & 0x3FFF > 0
      else { return nil }
      extent = PixelSize(width: width & 0x3FFF, height: height & 0x3FFF)
      hasOwnAlpha = parts.alpha != nil
      alpha = parts.alpha?.whole
    }
    let (left, top) = (parts.place.width, parts.place.height)
    frame = PixelRectangle(columns: left..<left + extent.width, rows: top..<top + extent.height)
    size = PixelSize(
      width: max(parts.canvas.width, left + extent.width),
      height: max(parts.canvas.height, top + extent.height))
    isCut = image.isCut || parts.alpha?.isCut == true
    // The missing pixels of the canvas are transparent.
    hasAlpha = hasOwnAlpha || isCut || frame.size != size
    self.image = image.whole
    isAnimated = parts.isAnimated
    orientation = parts.orientation
    colors = parts.profile.map { .profile([$0]) }
  }

  /// Returns the first frame alone in its own size, without metadata; `bytes` is the file of this
  /// header.
  func bareFile(from bytes: [UInt8]) -> [UInt8] {
    var chunks: [UInt8] = []
    if let alpha {
      let hasAlpha: [UInt8] = [0x10, 0, 0, 0]
      let extents = Self.bytes24(frame.size.width - 1) + Self.bytes24(frame.size.height - 1)
      chunks += Array("VP8X".utf8) + Self.bytes32(10) + hasAlpha + extents
      chunks += Self.padded(bytes[alpha])
    }
    // A truncated chunk gets its actual length.
    chunks += bytes[image.prefix(4)] + Self.bytes32(image.count - 8)
    chunks += Self.padded(bytes[image.dropFirst(8)])
    return Array("RIFF".utf8) + Self.bytes32(chunks.count + 4) + Array("WEBP".utf8) + chunks
  }

  private static func padded(_ chunk: ArraySlice<UInt8>) -> [UInt8] {
    Array(chunk) + repeatElement(0, count: chunk.count % 2)
  }

  private static func bytes24(_ value: Int) -> [UInt8] {
    [0, 8, 16].map { UInt8(truncatingIfNeeded: value >> $0) }
  }

  private static func bytes32(_ value: Int) -> [UInt8] {
    bytes24(value) + [UInt8(truncatingIfNeeded: value >> 24)]
  }
}

/// Chunks of interest; of an animation those of its first frame.
private struct Parts {
  var image: RIFFChunks.Chunk?
  var alpha: RIFFChunks.Chunk?
  var isAnimated = false
  /// Offsets of the ICC profile; nil without one.
  var profile: Range<Int>?
  /// Canvas size of an animation; 0 × 0 for a still picture, which fills its canvas.
  var canvas = PixelSize(width: 0, height: 0)
  /// Offset of the first frame from the canvas's top left corner, in pixels.
  var place = PixelSize(width: 0, height: 0)
  var orientation = PictureOrientation.upright

  mutating func collect(_ chunks: RIFFChunks, of bytes: [UInt8]) {
    var extent = canvas
    for chunk in chunks {
      switch chunk.name {
      case "ANMF" where image == nil && chunk.payload.count > 16:
        isAnimated = true
        canvas = extent
        // Discards an ALPH chunk of a frame without image.
        alpha = nil
        let start = chunk.payload.lowerBound
        place = PixelSize(
          width: 2 * (bytes.littleEndian24(at: start) ?? 0),
          height: 2 * (bytes.littleEndian24(at: start + 3) ?? 0))
        for part in RIFFChunks(bytes, in: chunk.payload.dropFirst(16)) { noteImage(part) }
      case "VP8X" where chunk.payload.count >= 10:
        let start = chunk.payload.lowerBound
        extent = PixelSize(
          width: 1 + (bytes.littleEndian24(at: start + 4) ?? 0),
          height: 1 + (bytes.littleEndian24(at: start + 7) ?? 0))
      case "EXIF" where !chunk.isCut:
        orientation = EXIFBlock(bytes[chunk.payload])?.orientation ?? .upright
      case "ICCP": profile = chunk.payload
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

/// Iterator over the chunks of a RIFF file, or of a part of one, in order (WebP container, "RIFF file
/// format").
private struct RIFFChunks: Sequence, IteratorProtocol {
  struct Chunk {
    let name: ChunkName
    /// Offsets of name, length and payload, without the padding byte.
    let whole: Range<Int>
    /// Whether the file, or the part of it, ends within the chunk.
    let isCut: Bool
    var payload: Range<Int> { whole.lowerBound + 8..<whole.upperBound }
  }

  private let bytes: [UInt8]
  private let end: Int
  private var offset: Int

  init(_ bytes: [UInt8], in range: Range<Int>) {
    self.bytes = bytes
    offset = range.lowerBound
    end = range.upperBound
  }

  /// Returns the next chunk; nil after a truncated one.
  mutating func next() -> Chunk? {
    guard offset + 8 <= end, let name = ChunkName(bytes, at: offset),
      let length = bytes.littleEndian32(at: offset + 4)
    else { return nil }
    let whole = offset..<Swift.min(offset + 8 + length, end)
    let isCut = offset + 8 + length > end
    offset = whole.upperBound + length % 2
    return Chunk(name: name, whole: whole, isCut: isCut)
  }
}
