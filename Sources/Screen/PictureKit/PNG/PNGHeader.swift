internal import MarketModel

/// Header of a PNG file (PNG specification, section 11.2.1).
struct PNGHeader: Hashable {
  let size: PixelSize
  let hasAlpha: Bool
  let isInterlaced: Bool
  let isAnimated: Bool
  let orientation: PictureOrientation

  init?(_ bytes: [UInt8]) {
    var chunks = PNGChunks(bytes)
    guard let head = chunks.next(), head.name == "IHDR", head.payload.count == 13 else {
      return nil
    }
    let start = head.payload.lowerBound
    guard let width = bytes.bigEndian32(at: start), (1..<1 << 31).contains(width),
      let height = bytes.bigEndian32(at: start + 4), (1..<1 << 31).contains(height)
    else { return nil }
    size = PixelSize(width: width, height: height)
    isInterlaced = bytes[start + 12] != 0

    var extras = Extras()
    while let chunk = chunks.next() { extras.note(chunk, of: bytes) }
    guard extras.hasData else { return nil }
    let colourType = bytes[start + 9]
    hasAlpha = colourType == 4 || colourType == 6 || extras.hasTransparency
    isAnimated = extras.isAnimated
    orientation = extras.orientation
  }

  /// The file with no chunk but those that its pixels depend on; nil where it is cut off.
  func bareFile(from bytes: [UInt8]) -> [UInt8]? {
    var bare = Array(bytes.prefix(8))
    bare.reserveCapacity(bytes.count)
    for chunk in PNGChunks(bytes) {
      switch chunk.name {
      case "IHDR", "PLTE", "tRNS", "gAMA", "sRGB", "cHRM", "IDAT": bare += bytes[chunk.whole]
      case "IEND": return bare + bytes[chunk.whole]
      default: break
      }
    }
    return nil
  }
}

/// Facts that the chunks behind the first one add.
private struct Extras {
  var hasData = false
  var hasTransparency = false
  var isAnimated = false
  var orientation = PictureOrientation.upright

  mutating func note(_ chunk: PNGChunks.Chunk, of bytes: [UInt8]) {
    switch chunk.name {
    case "IDAT": hasData = true
    case "tRNS": hasTransparency = true
    case "acTL": isAnimated = true
    case "eXIf": orientation = EXIFBlock(bytes[chunk.payload])?.orientation ?? .upright
    default: break
    }
  }
}

/// The chunks of a PNG file in order (PNG specification, section 5.3), without checks of their sums.
private struct PNGChunks: Sequence, IteratorProtocol {
  struct Chunk {
    let name: ChunkName
    /// Length, name, payload and checksum.
    let whole: Range<Int>
    let payload: Range<Int>
  }

  private let bytes: [UInt8]
  private var offset = 8

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// Ends after the chunk IEND, or before the first one that is cut off.
  mutating func next() -> Chunk? {
    guard let length = bytes.bigEndian32(at: offset), length < 0x8000_0000,
      let name = ChunkName(bytes, at: offset + 4), offset + 12 + length <= bytes.count
    else { return nil }
    let whole = offset..<offset + 12 + length
    offset = name == "IEND" ? bytes.count : whole.upperBound
    return Chunk(
      name: name, whole: whole, payload: whole.lowerBound + 8..<whole.upperBound - 4)
  }
}
