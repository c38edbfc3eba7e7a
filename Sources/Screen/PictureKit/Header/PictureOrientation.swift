internal import MarketModel

/// Orientation of the stored rows and columns relative to the upright picture; raw values of EXIF tag
/// 0x0112.
///
/// Each case names the operation that brings the stored pixels upright.
package enum PictureOrientation: Int, Hashable, Sendable, CaseIterable {
  case upright = 1
  case mirror
  case turnHalf
  case flip
  /// Mirrors on the diagonal from the top left.
  case transpose
  case turnRight
  /// Mirrors on the diagonal from the top right.
  case transverse
  case turnLeft

  /// Whether width and height are exchanged.
  var swapsSides: Bool { rawValue >= Self.transpose.rawValue }

  /// Returns the upright size for a stored one, or the stored size for an upright one.
  func applied(to size: PixelSize) -> PixelSize {
    swapsSides ? PixelSize(width: size.height, height: size.width) : size
  }

  /// Returns the upright picture of stored pixels.
  func applied(to bitmap: Bitmap) -> Bitmap {
    guard self != .upright else { return bitmap }
    let result = applied(to: bitmap.size)
    let turned = [UInt8](unsafeUninitializedCapacity: bitmap.byteCount) { target, count in
      bitmap.pixels.withUnsafeBytes { source in
        var index = 0
        for y in 0..<result.height {
          for x in 0..<result.width {
            let position = storedPlace(x: x, y: y, in: bitmap.size)
            for channel in 0..<4 { target[index + channel] = source[position * 4 + channel] }
            index += 4
          }
        }
      }
      count = bitmap.byteCount
    }
    return Bitmap(size: result, pixels: turned)
  }

  /// Returns the area of a file of size `stored` that a part of the upright picture shows.
  func stored(_ part: PixelRectangle, in stored: PixelSize) -> PixelRectangle {
    func mirrored(_ range: Range<Int>, in length: Int) -> Range<Int> {
      length - range.upperBound..<length - range.lowerBound
    }
    let columns = swapsSides ? part.rows : part.columns
    let rows = swapsSides ? part.columns : part.rows
    let mirrorsColumns = [.mirror, .turnHalf, .transverse, .turnLeft].contains(self)
    let mirrorsRows = [.turnHalf, .flip, .turnRight, .transverse].contains(self)
    return PixelRectangle(
      columns: mirrorsColumns ? mirrored(columns, in: stored.width) : columns,
      rows: mirrorsRows ? mirrored(rows, in: stored.height) : rows)
  }

  /// Index of the stored pixel at a position of the upright picture.
  private func storedPlace(x: Int, y: Int, in stored: PixelSize) -> Int {
    let right = stored.width - 1
    let bottom = stored.height - 1
    return switch self {
    case .upright: y * stored.width + x
    case .mirror: y * stored.width + right - x
    case .turnHalf: (bottom - y) * stored.width + right - x
    case .flip: (bottom - y) * stored.width + x
    case .transpose: x * stored.width + y
    case .turnRight: (bottom - x) * stored.width + y
    case .transverse: (bottom - x) * stored.width + right - y
    case .turnLeft: x * stored.width + right - y
    }
  }
}

/// EXIF block, a TIFF directory; only the orientation is read (EXIF 2.32, 4.6.2).
struct EXIFBlock {
  private let bytes: [UInt8]
  private let isLittleEndian: Bool

  /// Reads a block that begins with "II" or "MM", with or without "Exif" and two zeros before that;
  /// else nil.
  init?(_ block: ArraySlice<UInt8>) {
    let prefix = Array("Exif\0\0".utf8)
    let tiff = block.starts(with: prefix) ? block.dropFirst(prefix.count) : block
    // The directory with the orientation is near the start; the rest may be megabytes.
    bytes = Array(tiff.prefix(65_536))
    switch bytes.prefix(2) {
    case [0x49, 0x49]: isLittleEndian = true
    case [0x4D, 0x4D]: isLittleEndian = false
    default: return nil
    }
  }

  /// Orientation of the directory; upright where it has none, or an invalid one.
  var orientation: PictureOrientation {
    guard let directory = integer32(at: 4), let count = integer16(at: directory) else {
      return .upright
    }
    let entries = (0..<count).lazy.map { directory + 2 + $0 * 12 }
    guard let entry = entries.first(where: { integer16(at: $0) == 0x0112 }),
      integer16(at: entry + 2) == 3, let value = integer16(at: entry + 8)
    else { return .upright }
    return PictureOrientation(rawValue: value) ?? .upright
  }

  private func integer16(at offset: Int) -> Int? {
    isLittleEndian ? bytes.littleEndian16(at: offset) : bytes.bigEndian16(at: offset)
  }

  private func integer32(at offset: Int) -> Int? {
    isLittleEndian ? bytes.littleEndian32(at: offset) : bytes.bigEndian32(at: offset)
  }
}
