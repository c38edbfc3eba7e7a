internal import MarketModel

/// What a PNG file says about its picture (PNG specification, section 11.2.1).
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
}

/// What the chunks behind the first one add.
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
