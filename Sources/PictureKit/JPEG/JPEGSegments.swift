internal import Glibc

/// The marker segments of a JPEG file in order (ITU-T T.81, annex B), read leniently as libjpeg
/// does: bytes that belong to no segment are passed over.
struct JPEGSegments: Sequence, IteratorProtocol {
  struct Segment {
    let marker: UInt8
    /// Where the marker's 0xFF stands.
    let start: Int
    /// What follows the length; empty for a marker without one.
    let payload: Range<Int>
  }

  enum Marker {
    static let startOfScan: UInt8 = 0xDA
    static let endOfImage: UInt8 = 0xD9
    static let application: ClosedRange<UInt8> = 0xE0...0xEF
    static let restart: ClosedRange<UInt8> = 0xD0...0xD7
    /// Frame headers, and the tables and conditions of entropy coding among them.
    static let frames: ClosedRange<UInt8> = 0xC0...0xCF
    /// Quantization tables, number of lines and restart interval.
    static let tables: ClosedRange<UInt8> = 0xDB...0xDD

    /// Whether it is a frame header: neither a table nor reserved.
    static func isFrame(_ marker: UInt8) -> Bool {
      frames.contains(marker) && ![0xC4, 0xC8, 0xCC].contains(marker)
    }
  }

  private let bytes: [UInt8]
  private var offset = 2

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// Ends after the end-of-image marker, or before the first segment that is cut off.
  mutating func next() -> Segment? {
    guard let start = nextMarker(from: offset) else { return nil }
    let marker = bytes[start + 1]
    if marker == Marker.endOfImage {
      offset = bytes.count
      return Segment(marker: marker, start: start, payload: start + 2..<start + 2)
    }
    guard let length = bytes.bigEndian16(at: start + 2), length >= 2,
      start + 2 + length <= bytes.count
    else { return nil }
    offset = start + 2 + length
    return Segment(marker: marker, start: start, payload: start + 4..<offset)
  }

  /// Finds the next marker that has a meaning between scans: no stuffed zero, filler or restart.
  private func nextMarker(from start: Int) -> Int? {
    bytes.withUnsafeBytes { buffer -> Int? in
      guard let base = buffer.baseAddress else { return nil }
      var offset = start
      while offset + 1 < buffer.count {
        guard let found = memchr(base + offset, 0xFF, buffer.count - 1 - offset) else {
          return nil
        }
        offset = UnsafeRawPointer(found) - base
        switch buffer[offset + 1] {
        case 0xFF: offset += 1
        case 0x00, 0x01, Marker.restart: offset += 2
        default: return offset
        }
      }
      return nil
    }
  }
}
