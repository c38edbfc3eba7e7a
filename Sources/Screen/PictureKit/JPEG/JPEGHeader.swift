internal import Glibc
internal import MarketModel

/// Header of a JPEG file: its frame, orientation and number of scans.
struct JPEGHeader: Hashable {
  let frame: JPEGFrame
  let orientation: PictureOrientation
  /// Number of passes of the decoder over the picture; 1 where a single scan holds all components.
  let scanCount: Int
  let colors: ColorSource?

  /// Whether the decoder holds the coefficients of the whole picture in memory.
  var needsCoefficients: Bool { frame.isProgressive || scanCount > 1 }

  /// Returns nil where there is no frame header, a second one, or no complete scan header.
  init?(_ bytes: [UInt8]) {
    var frame: JPEGFrame?
    var exif: EXIFBlock?
    var scans = 0
    var profile = ProfilePieces()
    segments: for segment in JPEGSegments(bytes) {
      switch segment.marker {
      case 0xE1 where exif == nil:
        exif = EXIFBlock(bytes[segment.payload])
      case 0xE2: profile.add(segment.payload, of: bytes)
      case let marker where JPEGSegments.Marker.isFrame(marker):
        // libjpeg rejects a second frame as well.
        guard frame == nil else { return nil }
        frame = JPEGFrame(segment, of: bytes)
      case JPEGSegments.Marker.startOfScan:
        guard let frame, let components = bytes[segment.payload].first else { return nil }
        // A scan header at the end of the file has no data.
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
    colors = profile.source
  }

  var colorModel: ColorModel {
    switch frame.components.count {
    case 1: .gray
    case 4: .cmyk
    default: .rgb
    }
  }

  /// Whether the file ends before its picture does; `bytes` is the file of this header.
  func isCut(_ bytes: [UInt8]) -> Bool { segments(from: bytes) == nil }

  /// Sizes to which the decoder can reduce, largest first; each takes less time than the one before.
  var reducedSizes: [PixelSize] {
    [1, 2, 4, 8].map {
      PixelSize(
        width: (frame.size.width + $0 - 1) / $0, height: (frame.size.height + $0 - 1) / $0)
    }
  }

  /// Returns the file without metadata, coded data unchanged; nil where it is truncated, and where it
  /// is coded arithmetically, which browsers cannot decode.
  func bareFile(from bytes: [UInt8]) -> [UInt8]? {
    frame.isArithmetic ? nil : segments(from: bytes)
  }

  /// Returns the segments that make the picture; nil where the file is truncated.
  ///
  /// Of the application segments only JFIF and Adobe stay, which define the components' colour space,
  /// each reduced to its fixed fields.
  private func segments(from bytes: [UInt8]) -> [UInt8]? {
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
      // Bytes after any other segment are not entropy-coded data.
      scanStart = nil
    }
    return nil
  }

  /// Returns the JFIF segment (version 1.1, square pixels, no thumbnail) or Adobe's transform flag;
  /// empty for others.
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

/// Pieces of the ICC profile in the segments APP2 of a JPEG file (ICC.1, annex B.4).
private struct ProfilePieces {
  private var pieces: [Int: Range<Int>] = [:]
  /// Number of pieces that the file says it has; nil without a piece.
  private var count: Int?

  mutating func add(_ payload: Range<Int>, of bytes: [UInt8]) {
    let name = Array("ICC_PROFILE\0".utf8)
    guard payload.count > name.count + 2, bytes[payload].starts(with: name) else { return }
    let number = payload.lowerBound + name.count
    pieces[Int(bytes[number])] = number + 2..<payload.upperBound
    count = Int(bytes[number + 1])
  }

  /// The whole profile, without pieces where one is missing; nil without a profile.
  var source: ColorSource? {
    guard let count else { return nil }
    let present = (1..<count + 1).compactMap { pieces[$0] }
    return .profile(present.count == count ? present : [])
  }
}

/// Frame header of a JPEG file (ITU-T T.81, B.2.2), with what the cost estimate needs.
struct JPEGFrame: Hashable {
  /// Horizontal and vertical sampling factors of one component, 1 to 4 each.
  struct Sampling: Hashable {
    let horizontal: Int
    let vertical: Int
  }

  let size: PixelSize
  let isProgressive: Bool
  let isArithmetic: Bool
  let components: [Sampling]

  /// Returns nil where the frame is truncated, has no pixels, or has factors or components out of
  /// range.
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

  /// Bytes of the coefficients of the whole picture: two per coefficient, in blocks of 8 × 8.
  var coefficientBytes: Int {
    let widest = components.map(\.horizontal).max() ?? 1
    let tallest = components.map(\.vertical).max() ?? 1
    return components.reduce(0) { sum, component in
      let columns = size.width * component.horizontal / (8 * widest) + 2
      let rows = size.height * component.vertical / (8 * tallest) + 2
      return sum + columns * rows * 128
    }
  }

  /// Whether one scan of `components` components holds the whole picture.
  fileprivate func isWhole(inScanOf components: Int) -> Bool {
    !isProgressive && components >= self.components.count
  }
}

/// Iterator over the marker segments of a JPEG file (ITU-T T.81, annex B); skips bytes outside of
/// segments, as libjpeg does.
private struct JPEGSegments: Sequence, IteratorProtocol {
  struct Segment {
    let marker: UInt8
    /// Offset of the marker's 0xFF.
    let start: Int
    /// Offsets after the length field; empty for a marker without a payload.
    let payload: Range<Int>
  }

  enum Marker {
    static let startOfScan: UInt8 = 0xDA
    static let endOfImage: UInt8 = 0xD9
    static let application: ClosedRange<UInt8> = 0xE0...0xEF
    static let restart: ClosedRange<UInt8> = 0xD0...0xD7
    /// Range of frame headers; it also holds Huffman tables and arithmetic conditioning.
    static let frames: ClosedRange<UInt8> = 0xC0...0xCF
    /// Quantization tables, number of lines, restart interval.
    static let tables: ClosedRange<UInt8> = 0xDB...0xDD

    /// Whether a marker is a frame header, neither a table nor reserved.
    static func isFrame(_ marker: UInt8) -> Bool {
      frames.contains(marker) && ![0xC4, 0xC8, 0xCC].contains(marker)
    }
  }

  private let bytes: [UInt8]
  private var offset = 2

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// Returns the next segment; nil after the end-of-image marker, and at a truncated segment.
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

  /// Returns the offset of the next marker other than a stuffed zero, TEM, filler or restart; nil at
  /// the end.
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
