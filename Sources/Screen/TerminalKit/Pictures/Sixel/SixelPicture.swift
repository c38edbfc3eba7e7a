/// Picture for terminals with sixel graphics, with its own palette.
package struct SixelPicture: Sendable {
  private let width: Int
  private let height: Int
  private let cell: CellPixels
  private let percents: [SIMD3<UInt8>]
  /// Palette index of each pixel, rows top to bottom.
  private let indices: [UInt8]
  /// Encoded bytes of the whole picture.
  private let whole: [UInt8]

  /// Encodes pixels for the cells that they cover.
  ///
  /// - Parameters:
  ///   - pixels: red, green, blue and an ignored byte; rows top to bottom without padding.
  ///   - size: the cells to cover, of `cell` pixels each.
  ///   - cell: the size of the terminal's cells.
  ///   - colors: maximum colours of a picture on the terminal, 2 to 256.
  package init(pixels: [UInt8], size: CellSize, cell: CellPixels, colors: Int) {
    width = size.columns * cell.width
    height = size.rows * cell.height
    precondition(pixels.count == width * height * 4, "pixels do not fill the cells")
    self.cell = cell
    let (width, height) = (width, height)
    (percents, indices) = pixels.withUnsafeBytes { bytes in
      let pixels = bytes.bindMemory(to: SIMD4<UInt8>.self)
      let palette = AdaptivePalette(of: pixels, maximum: colors)
      guard colors < Self.enoughColors else {
        return (palette.percents, palette.indices(of: pixels))
      }
      var dithering = SixelDithering(palette: palette, width: width, height: height)
      return (palette.percents, dithering.indices(of: pixels))
    }
    whole = SixelEncoder(indices: indices, stride: width, percents: percents)
      .encode(columns: 0..<width, rows: 0..<height)
  }

  /// Minimum colours that are not dithered; the dots of dithering double the bytes.
  private static let enoughColors = 64

  var byteCount: Int { indices.count + whole.count }

  /// Number of bytes that the whole picture needs on the connection.
  var wholeByteCount: Int { whole.count }

  /// Whether a draft is useful; a small picture is sent quickly.
  var isWorthDraft: Bool { whole.count > 8 << 10 }

  /// Approximate ratio of a picture's bytes to its draft's.
  static let draftSaving = 5
  /// Side in pixels of the square that becomes one pixel in a draft.
  private static let draftPixel = 4

  /// Returns the command that paints cells of the picture, their top left corner at the cursor; a draft
  /// has fewer pixels.
  ///
  /// With `wholeBands` up to five rows of pixels at the bottom are left out, for a terminal that paints a part
  /// of a sixel as a whole one, over the text below.
  func bytes(of part: CellRect, isDraft: Bool = false, wholeBands: Bool = false) -> [UInt8] {
    let columns = part.minColumn * cell.width..<part.maxColumn * cell.width
    var rows = part.minRow * cell.height..<part.maxRow * cell.height
    if wholeBands { rows = rows.prefix(rows.count / SixelEncoder.band * SixelEncoder.band) }
    guard isDraft || columns != 0..<width || rows != 0..<height else { return whole }
    let pixel = isDraft ? Self.draftPixel : 1
    return SixelEncoder(indices: indices, stride: width, percents: percents, pixel: pixel)
      .encode(columns: columns, rows: rows)
  }
}

/// Encoder of sixels: columns of six pixels, one colour after the other ("VT330/VT340 Programmer
/// Reference Manual", volume 2, chapter 14).
private struct SixelEncoder {
  /// Palette index of each pixel.
  let indices: [UInt8]
  /// Pixels per row of `indices`.
  let stride: Int
  let percents: [SIMD3<UInt8>]
  /// Side in pixels of the square that takes its first pixel's colour.
  var pixel = 1

  /// Rows of pixels in one sixel.
  static let band = 6

  /// Returns the device control string of a range of columns and rows.
  func encode(columns: Range<Int>, rows: Range<Int>) -> [UInt8] {
    // Pixels are square, unset ones stay unchanged, and the size is the stated one.
    var bytes = Array("\u{1B}P0;1;0q\"1;1;\(columns.count);\(rows.count)".utf8)
    bytes.reserveCapacity(columns.count * rows.count / 2)
    for (index, percent) in percents.enumerated() {
      bytes += "#\(index);2;\(percent.x);\(percent.y);\(percent.z)".utf8
    }
    var planes = [UInt8](repeating: 0, count: percents.count * columns.count)
    for top in Swift.stride(from: rows.lowerBound, to: rows.upperBound, by: Self.band) {
      let used = fill(
        &planes, columns: columns, rows: top..<min(top + Self.band, rows.upperBound))
      for (position, color) in used.enumerated() {
        if position > 0 { bytes.append(UInt8(ascii: "$")) }
        bytes += "#\(color)".utf8
        append(&planes, from: color * columns.count, count: columns.count, to: &bytes)
      }
      bytes.append(UInt8(ascii: "-"))
    }
    bytes.removeLast()
    bytes += "\u{1B}\\".utf8
    return bytes
  }

  /// Sets the bits of one band in the planes of its colours, and returns these colours.
  private func fill(_ planes: inout [UInt8], columns: Range<Int>, rows: Range<Int>) -> [Int] {
    var isUsed = [Bool](repeating: false, count: percents.count)
    for row in rows {
      let bit = UInt8(1) << UInt8(row - rows.lowerBound)
      for column in columns {
        let color = Int(indices[(row - row % pixel) * stride + column - column % pixel])
        isUsed[color] = true
        planes[color * columns.count + column - columns.lowerBound] |= bit
      }
    }
    return isUsed.indices.filter { isUsed[$0] }
  }

  /// Writes one plane run-length encoded up to its last pixel, and clears it for the next band.
  private func append(
    _ planes: inout [UInt8], from start: Int, count: Int, to bytes: inout [UInt8]
  ) {
    var end = start + count
    while end > start, planes[end - 1] == 0 { end -= 1 }
    var position = start
    while position < end {
      let bits = planes[position]
      var next = position + 1
      while next < end, planes[next] == bits { next += 1 }
      let sixel = UInt8(ascii: "?") + bits
      if next - position > 3 {
        bytes += "!\(next - position)".utf8
        bytes.append(sixel)
      } else {
        for _ in position..<next { bytes.append(sixel) }
      }
      for index in position..<next { planes[index] = 0 }
      position = next
    }
  }
}
