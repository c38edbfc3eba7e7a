internal import MarketModel

extension WebPHeader {
  /// The first picture alone, without metadata; `bytes` is the file of this header.
  func bareFile(from bytes: [UInt8]) -> [UInt8] {
    var chunks: [UInt8] = []
    if let alpha {
      let hasAlpha: [UInt8] = [0x10, 0, 0, 0]
      let extents = Self.bytes24(size.width - 1) + Self.bytes24(size.height - 1)
      chunks += Array("VP8X".utf8) + Self.bytes32(10) + hasAlpha + extents
      chunks += Self.padded(bytes[alpha])
    }
    chunks += Self.padded(bytes[image])
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
