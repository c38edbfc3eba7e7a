internal import CZlib
internal import MarketModel

/// Header of a PNG file (PNG specification, section 11.2.1).
struct PNGHeader: Hashable {
  let size: PixelSize
  let hasAlpha: Bool
  let isInterlaced: Bool
  let isAnimated: Bool
  /// Whether the file ends before its IEND chunk.
  let isCut: Bool
  let orientation: PictureOrientation
  let isGray: Bool
  let colors: ColorSource?
  /// Whether no gamma but sRGB's has to be applied.
  let hasPlainGamma: Bool

  /// Returns nil without a valid IHDR chunk or without image data.
  init?(_ bytes: [UInt8]) {
    var chunks = PNGChunks(bytes)
    guard let head = chunks.next(), head.name == "IHDR", head.payload.count == 13, !head.isCut
    else {
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
    let colorType = bytes[start + 9]
    isCut = !extras.hasEnd
    // The missing rows of a truncated file are transparent.
    hasAlpha = colorType == 4 || colorType == 6 || extras.hasTransparency || isCut
    isAnimated = extras.isAnimated
    orientation = extras.orientation
    isGray = colorType == 0 || colorType == 4
    colors = extras.codePoints ?? extras.profile
    hasPlainGamma =
      colors != nil || extras.isSRGB || extras.gamma.map { abs($0 - 45_455) < 500 } ?? true
  }

  /// Returns what zlib expands `bytes` to; nil where they are broken or expand to more than `limit`.
  static func expanded(_ bytes: [UInt8], limit: Int) -> [UInt8]? {
    var length = UInt(limit)
    let expanded = [UInt8](unsafeUninitializedCapacity: limit) { target, count in
      count =
        uncompress(target.baseAddress, &length, bytes, UInt(bytes.count)) == Z_OK ? Int(length) : 0
    }
    return expanded.isEmpty ? nil : expanded
  }

  /// Returns the file with only the chunks that its pixels depend on; a gamma only where it has to be
  /// applied.
  ///
  /// The last IDAT chunk of a truncated file gets its actual length, and a wrong checksum.
  func bareFile(from bytes: [UInt8]) -> [UInt8] {
    var bare = Array(bytes.prefix(8))
    bare.reserveCapacity(bytes.count)
    for chunk in PNGChunks(bytes) {
      switch chunk.name {
      case "IDAT" where chunk.isCut:
        let length = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: chunk.payload.count >> $0) }
        bare += length + Array("IDAT".utf8) + bytes[chunk.payload] + [0, 0, 0, 0]
      case "IHDR", "PLTE", "tRNS", "IDAT", "IEND": bare += bytes[chunk.whole]
      case "gAMA" where !hasPlainGamma: bare += bytes[chunk.whole]
      default: break
      }
    }
    return bare
  }
}

/// Properties read from the chunks after IHDR.
private struct Extras {
  var hasData = false
  var hasEnd = false
  var hasTransparency = false
  var isAnimated = false
  var orientation = PictureOrientation.upright
  var codePoints: ColorSource?
  var profile: ColorSource?
  var isSRGB = false
  /// Gamma of the file in 1/100,000; nil without one.
  var gamma: Int?

  mutating func note(_ chunk: PNGChunks.Chunk, of bytes: [UInt8]) {
    switch chunk.name {
    case "IDAT": hasData = true
    case _ where chunk.isCut: break
    case "IEND": hasEnd = true
    case "tRNS": hasTransparency = true
    case "sRGB": isSRGB = true
    case "gAMA": gamma = bytes.bigEndian32(at: chunk.payload.lowerBound)
    case "cICP" where chunk.payload.count == 4:
      let start = chunk.payload.lowerBound
      codePoints = .codePoints(
        ColorCodePoints(primaries: Int(bytes[start]), transfer: Int(bytes[start + 1])))
    case "iCCP":
      // A name of at most 79 bytes, its end, and the method of compression.
      let name = bytes[chunk.payload].prefix(80).firstIndex(of: 0)
      profile = name.map {
        .compressedProfile(min($0 + 2, chunk.payload.upperBound)..<chunk.payload.upperBound)
      }
    case "acTL": isAnimated = true
    case "eXIf": orientation = EXIFBlock(bytes[chunk.payload])?.orientation ?? .upright
    default: break
    }
  }
}

/// Iterator over the chunks of a PNG file in order (PNG specification, section 5.3); checksums are
/// not verified.
private struct PNGChunks: Sequence, IteratorProtocol {
  struct Chunk {
    let name: ChunkName
    /// Length, name, payload and checksum.
    let whole: Range<Int>
    let payload: Range<Int>
    /// Whether the file ends within the chunk.
    let isCut: Bool
  }

  private let bytes: [UInt8]
  private var offset = 8

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// Returns the next chunk; nil after IEND, and after a truncated chunk.
  mutating func next() -> Chunk? {
    guard let length = bytes.bigEndian32(at: offset), length < 0x8000_0000,
      let name = ChunkName(bytes, at: offset + 4)
    else { return nil }
    let start = offset
    let isCut = start + 12 + length > bytes.count
    let end = isCut ? bytes.count : start + 12 + length
    offset = name == "IEND" ? bytes.count : end
    return Chunk(
      name: name, whole: start..<end, payload: start + 8..<Swift.min(start + 8 + length, end),
      isCut: isCut)
  }
}
