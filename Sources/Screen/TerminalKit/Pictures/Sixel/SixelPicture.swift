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

  /// Rows of pixels at the bottom of a painted part.
  enum Ending {
    /// Those of its cells.
    case exact
    /// Whole bands of six alone, for a terminal that paints a part of a band as a whole one, over the text below:
    /// up to five rows are left out.
    case wholeBands
    /// The same where the picture goes on below: up to five rows of that.
    case wholeBandsBeyond
  }

  /// Returns the command that paints cells of the picture, their top left corner at the cursor; a draft
  /// has fewer pixels.
  func bytes(of part: CellRect, isDraft: Bool = false, ending: Ending = .exact) -> [UInt8] {
    let columns = part.minColumn * cell.width..<part.maxColumn * cell.width
    var rows = part.minRow * cell.height..<part.maxRow * cell.height
    if ending == .wholeBandsBeyond {
      rows = rows.lowerBound..<min(rows.upperBound + SixelEncoder.band - 1, height)
    }
    if ending != .exact { rows = rows.prefix(rows.count / SixelEncoder.band * SixelEncoder.band) }
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
      var isFirst = true
      for (color, run) in used.enumerated() where !run.isEmpty {
        if !isFirst { bytes.append(UInt8(ascii: "$")) }
        isFirst = false
        bytes += "#\(color)".utf8
        append(&planes, from: color * columns.count, run, to: &bytes)
      }
      bytes.append(UInt8(ascii: "-"))
    }
    bytes.removeLast()
    bytes += "\u{1B}\\".utf8
    return bytes
  }

  /// Sets the bits of one band in the planes of its colours, and returns the columns of each colour, from
  /// its first to its last.
  private func fill(
    _ planes: inout [UInt8], columns: Range<Int>, rows: Range<Int>
  ) -> [Range<Int>] {
    var used = [Range<Int>](repeating: 0..<0, count: percents.count)
    for row in rows {
      let bit = UInt8(1) << UInt8(row - rows.lowerBound)
      for column in columns {
        let color = Int(indices[(row - row % pixel) * stride + column - column % pixel])
        let position = column - columns.lowerBound
        let run = used[color]
        if run.isEmpty {
          used[color] = position..<position + 1
        } else if !run.contains(position) {
          used[color] = min(run.lowerBound, position)..<max(run.upperBound, position + 1)
        }
        planes[color * columns.count + position] |= bit
      }
    }
    return used
  }

  /// Writes the columns of a colour in one plane run-length encoded, and clears them for the next band.
  private func append(
    _ planes: inout [UInt8], from start: Int, _ columns: Range<Int>, to bytes: inout [UInt8]
  ) {
    planes.withUnsafeMutableBufferPointer { planes in
      repeated(columns.lowerBound, UInt8(ascii: "?"), &bytes)
      var position = start + columns.lowerBound
      let end = start + columns.upperBound
      while position < end {
        let bits = planes[position]
        var next = position
        while next < end, planes[next] == bits {
          planes[next] = 0
          next += 1
        }
        repeated(next - position, UInt8(ascii: "?") + bits, &bytes)
        position = next
      }
    }
  }

  /// Writes a sixel some times.
  private func repeated(_ count: Int, _ sixel: UInt8, _ bytes: inout [UInt8]) {
    guard count > 3 else {
      for _ in 0..<count { bytes.append(sixel) }
      return
    }
    bytes.append(UInt8(ascii: "!"))
    if count >= 1_000 { bytes.append(UInt8(ascii: "0") + UInt8(count / 1_000 % 10)) }
    if count >= 100 { bytes.append(UInt8(ascii: "0") + UInt8(count / 100 % 10)) }
    if count >= 10 { bytes.append(UInt8(ascii: "0") + UInt8(count / 10 % 10)) }
    bytes.append(UInt8(ascii: "0") + UInt8(count % 10))
    bytes.append(sixel)
  }
}
