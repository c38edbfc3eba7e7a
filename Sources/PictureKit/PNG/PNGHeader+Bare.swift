extension PNGHeader {
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
