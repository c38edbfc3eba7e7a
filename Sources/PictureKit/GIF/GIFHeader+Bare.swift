internal import MarketModel

extension GIFHeader {
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
