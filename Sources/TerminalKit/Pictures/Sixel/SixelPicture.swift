/// A picture for terminals with sixel graphics, with a palette of its own.
package struct SixelPicture: Sendable {
  private let width: Int
  private let height: Int
  private let cell: CellPixels
  private let percents: [SIMD3<UInt8>]
  /// An index into the palette for each pixel, rows top to bottom.
  private let indices: [UInt8]
  /// The whole picture, ready to be sent.
  private let whole: [UInt8]

  /// - Parameters:
  ///   - pixels: red, green, blue, and anything; rows top to bottom without padding.
  ///   - size: the cells to cover, of `cell` pixels each.
  ///   - cell: the size of the terminal's cells.
  ///   - colors: how many the terminal has for one picture, 2 to 256.
  package init(pixels: [UInt8], size: CellSize, cell: CellPixels, colors: Int) {
    width = size.columns * cell.width
    height = size.rows * cell.height
    precondition(pixels.count == width * height * 4, "pixels do not fill the cells")
    self.cell = cell
    let (width, height) = (width, height)
    (percents, indices) = pixels.withUnsafeBytes { bytes in
      let pixels = bytes.bindMemory(to: SIMD4<UInt8>.self)
      let palette = SixelPalette(of: pixels, maximum: colors)
      var dithering = SixelDithering(palette: palette, width: width, height: height)
      return (palette.percents, dithering.indices(of: pixels))
    }
    whole = SixelEncoder(indices: indices, stride: width, percents: percents)
      .encode(columns: 0..<width, rows: 0..<height)
  }

  var byteCount: Int { indices.count + whole.count }

  /// What paints some of the picture's cells, their top left corner at the cursor.
  func bytes(of part: CellRect) -> [UInt8] {
    let columns = part.minColumn * cell.width..<part.maxColumn * cell.width
    let rows = part.minRow * cell.height..<part.maxRow * cell.height
    guard columns != 0..<width || rows != 0..<height else { return whole }
    return SixelEncoder(indices: indices, stride: width, percents: percents)
      .encode(columns: columns, rows: rows)
  }
}
