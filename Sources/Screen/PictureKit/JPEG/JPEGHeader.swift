internal import Glibc
internal import MarketModel

/// Header of a JPEG file: its frame, how it lies, how often the decoder walks over it.
struct JPEGHeader: Hashable {
  let frame: JPEGFrame
  let orientation: PictureOrientation
  /// How often the decoder walks over the picture; 1 where a single scan holds all components.
  let scanCount: Int

  /// Whether the decoder has to hold the coefficients of the whole picture.
  var needsCoefficients: Bool { frame.isProgressive || scanCount > 1 }

  init?(_ bytes: [UInt8]) {
    var frame: JPEGFrame?
    var exif: EXIFBlock?
    var scans = 0
    segments: for segment in JPEGSegments(bytes) {
      switch segment.marker {
      case 0xE1 where exif == nil:
        exif = EXIFBlock(bytes[segment.payload])
      case let marker where JPEGSegments.Marker.isFrame(marker):
        // A second frame is an error to libjpeg as well.
        guard frame == nil else { return nil }
        frame = JPEGFrame(segment, of: bytes)
      case JPEGSegments.Marker.startOfScan:
        guard let frame, let components = bytes[segment.payload].first else { return nil }
        // Where the file ends, there is nothing of this scan.
        guard segment.payload.upperBound < bytes.count else { break segments }
        scans += 1
        if frame.isWhole(inScanOf: Int(components)) { break segments }
      default: break
      }
    }
    guard let frame, scans > 0 else { return nil }
    self.frame = frame
    orientation = exif?.orientation ?? .upright
    scanCount = scans
  }

  /// Sizes to which the decoder reduces on the way, largest first; others take longer.
  var reducedSizes: [PixelSize] {
    [1, 2, 4, 8].map {
      PixelSize(
        width: (frame.size.width + $0 - 1) / $0, height: (frame.size.height + $0 - 1) / $0)
    }
  }

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
        bare += Self.colorSegment(segment, of: bytes)
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
  private static func colorSegment(_ segment: JPEGSegments.Segment, of bytes: [UInt8]) -> [UInt8] {
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

/// Frame header of a JPEG file (ITU-T T.81, B.2.2), and what decoding the frame takes.
struct JPEGFrame: Hashable {
  /// Horizontal and vertical sampling factor of one component, 1 to 4 each.
  struct Sampling: Hashable {
    let horizontal: Int
    let vertical: Int
  }

  let size: PixelSize
  let isProgressive: Bool
  let isArithmetic: Bool
  let components: [Sampling]

  /// Nil where the frame is cut off or describes no picture.
  fileprivate init?(_ segment: JPEGSegments.Segment, of bytes: [UInt8]) {
    let start = segment.payload.lowerBound
    guard let height = bytes.bigEndian16(at: start + 1), height > 0,
      let width = bytes.bigEndian16(at: start + 3), width > 0,
      let count = bytes.byte(at: start + 5), (1...4).contains(count),
      segment.payload.count >= 6 + 3 * Int(count)
    else { return nil }
    size = PixelSize(width: width, height: height)
    isProgressive = segment.marker & 3 == 2
    isArithmetic = segment.marker > 0xC8
    components = (0..<Int(count)).map {
      let factors = bytes[start + 7 + 3 * $0]
      return Sampling(horizontal: Int(factors >> 4), vertical: Int(factors & 15))
    }
    let factors = components.flatMap { [$0.horizontal, $0.vertical] }
    guard factors.allSatisfy((1...4).contains) else { return nil }
  }

  /// Bytes of the coefficients of the whole picture, two for each, in blocks of 8 x 8.
  var coefficientBytes: Int {
    let widest = components.map(\.horizontal).max() ?? 1
    let tallest = components.map(\.vertical).max() ?? 1
    return components.reduce(0) { sum, component in
      let columns = size.width * component.horizontal / (8 * widest) + 2
      let rows = size.height * component.vertical / (8 * tallest) + 2
      return sum + columns * rows * 128
    }
  }

  /// Whether one scan of so many components holds all of the picture.
  fileprivate func isWhole(inScanOf components: Int) -> Bool {
    !isProgressive && components >= self.components.count
  }
}

/// The marker segments of a JPEG file in order (ITU-T T.81, annex B), read leniently as libjpeg
/// does: bytes that belong to no segment are passed over.
private struct JPEGSegments: Sequence, IteratorProtocol {
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
