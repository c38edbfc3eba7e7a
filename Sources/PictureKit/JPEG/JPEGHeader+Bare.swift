extension JPEGHeader {
  /// The file without metadata; nil where it is cut off.
  ///
  /// Of the application segments two stay, because they say which colours the components are, and
  /// these without what may be appended to them. The coded data stays as it is.
  func bareFile(from bytes: [UInt8]) -> [UInt8]? {
    var bare: [UInt8] = [0xFF, 0xD8]
    bare.reserveCapacity(bytes.count)
    var scanStart: Int?
    for segment in JPEGSegments(bytes) {
      if let scanStart { bare += bytes[scanStart..<segment.start] }
      let end = segment.payload.upperBound
      switch segment.marker {
      case JPEGSegments.Marker.application:
        bare += Self.colourSegment(segment, of: bytes)
      case JPEGSegments.Marker.endOfImage:
        return bare + bytes[segment.start..<end]
      case JPEGSegments.Marker.startOfScan:
        scanStart = end
        bare += bytes[segment.start..<end]
        continue
      case JPEGSegments.Marker.frames, JPEGSegments.Marker.tables:
        bare += bytes[segment.start..<end]
      default: break
      }
      // What follows any other segment belongs to no scan any more.
      scanStart = nil
    }
    return nil
  }

  /// JFIF (version 1.1, square pixels, no thumbnail) or Adobe's transform flag; else nothing.
  private static func colourSegment(_ segment: JPEGSegments.Segment, of bytes: [UInt8]) -> [UInt8] {
    let payload = bytes[segment.payload]
    if segment.marker == 0xE0, payload.starts(with: Array("JFIF\0".utf8)) {
      return [0xFF, 0xE0, 0, 16] + Array("JFIF\0".utf8) + [1, 1, 0, 0, 1, 0, 1, 0, 0]
    }
    if segment.marker == 0xEE, payload.count >= 12, payload.starts(with: Array("Adobe".utf8)) {
      return [0xFF, 0xEE, 0, 14] + payload.prefix(12)
    }
    return []
  }
}
