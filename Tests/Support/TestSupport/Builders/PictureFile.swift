import MarketModel

/// Bytes that pass for picture files until they are decoded.
package enum PictureFile {
  /// A file that begins as a JPEG does; another content for each `number`.
  package static func jpeg(_ number: UInt8 = 0, byteCount: Int = 64) -> [UInt8] {
    [0xFF, 0xD8, 0xFF, 0xE0, number] + Array(repeating: 0x2A, count: max(0, byteCount - 5))
  }
}

/// Takes picture files as they are; the thumbnail is the file's first 16 bytes.
package struct PassThroughPictureProcessor: PictureProcessor {
  package init() {}

  package func prepare(_ bytes: [UInt8]) async throws(PictureError) -> PreparedPicture {
    guard let format = PictureFormat(sniffing: bytes) else { throw .undecodable }
    return PreparedPicture(
      bytes: bytes, format: format, size: PixelSize(width: 8, height: 8),
      thumbnail: Array(bytes.prefix(16)))
  }
}
