import MarketModel
import PictureKit
import TerminalKit

/// Bitmap aligned to whole cells, and its encodings for terminals.
nonisolated struct CellAlignedBitmap {
  let size: CellSize
  private let bitmap: Bitmap
  private let cell: CellPixels

  /// Creates a bitmap for cells of `cell` pixels; the rest of the outermost cells stays transparent.
  ///
  /// `isFaded` makes it mostly transparent.
  init(_ bitmap: Bitmap, cell: CellPixels, isFaded: Bool = false) {
    self.bitmap = isFaded ? Self.faded(bitmap) : bitmap
    self.cell = cell
    size = CellSize(
      columns: (bitmap.size.width + cell.width - 1) / cell.width,
      rows: (bitmap.size.height + cell.height - 1) / cell.height)
  }

  /// Block characters that approximate the picture, stretched to the cells.
  func art(_ symbols: PictureSymbols, _ colors: PictureColors, ground: RGB) -> BlockArt {
    BlockArt(
      pixels: bitmap.pixels, width: bitmap.size.width, height: bitmap.size.height, size: size,
      symbols: symbols, colors: colors, background: ground)
  }

  /// Encodes the picture for kitty's protocol, in a palette where it is opaque, with a draft if it is large.
  /// - Throws: what `PictureEncoder.png` throws.
  func kitty() throws(PictureError) -> KittyPicture {
    let padded = padded
    guard padded.isOpaque else {
      return try kitty(padded.size, padded.pixels, valuesPerPixel: 4) {
        pixels, size throws(PictureError) in
        try PictureEncoder.png(Bitmap(size: size, pixels: pixels))
      }
    }
    let (palette, indices) = AdaptivePalette.reduce(padded.pixels, to: 256)
    return try kitty(padded.size, indices, valuesPerPixel: 1) {
      indices, size throws(PictureError) in
      try PictureEncoder.png(indices: indices, palette: palette, size: size)
    }
  }

  private func kitty(
    _ size: PixelSize, _ values: [UInt8], valuesPerPixel count: Int,
    png: ([UInt8], PixelSize) throws(PictureError) -> [UInt8]
  ) throws(PictureError) -> KittyPicture {
    let file = try png(values, size)
    guard file.count >= KittyPicture.smallestWithDraft else {
      return KittyPicture(png: file, width: size.width, height: size.height, draft: nil)
    }
    let small = PixelSize(
      width: max(1, size.width / Self.draftPixel), height: max(1, size.height / Self.draftPixel))
    let draft = try png(Self.draft(of: values, count, from: size, to: small), small)
    return KittyPicture(png: file, width: size.width, height: size.height, draft: draft)
  }

  /// Side of the square of pixels that one pixel of a draft stands for.
  private static let draftPixel = 3

  /// Values of a reduced picture, of `count` for each pixel; each pixel is the middle one of its square.
  private static func draft(
    of values: [UInt8], _ count: Int, from size: PixelSize, to small: PixelSize
  ) -> [UInt8] {
    var pixels: [UInt8] = []
    pixels.reserveCapacity(small.pixelCount * count)
    for row in 0..<small.height {
      let line = (row * size.height + size.height / 2) / small.height
      for column in 0..<small.width {
        let position = (column * size.width + size.width / 2) / small.width
        let start = (line * size.width + position) * count
        pixels += values[start..<start + count]
      }
    }
    return pixels
  }

  func sixel(cell: CellPixels, colors: Int, ground: RGB) -> SixelPicture {
    SixelPicture(
      pixels: Self.opaque(padded, on: ground).pixels, size: size, cell: cell, colors: colors)
  }

  /// Encodes the picture for iTerm2's protocol.
  /// - Throws: what `PictureEncoder.jpeg` throws.
  func inline(ground: RGB) throws(PictureError) -> InlinePicture {
    let cell = cell
    let whole = Self.opaque(padded, on: ground)
    return InlinePicture(
      file: try PictureEncoder.jpeg(whole, quality: Self.quality), uncutBytes: whole.pixels.count
    ) { part in
      let cut = Self.cut(
        whole, x: part.minColumn * cell.width, y: part.minRow * cell.height,
        PixelSize(width: part.columns * cell.width, height: part.rows * cell.height))
      return (try? PictureEncoder.jpeg(cut, quality: Self.quality)) ?? []
    }
  }

  private static let quality = 90

  /// Picture centered in its cells.
  private var padded: Bitmap {
    let whole = PixelSize(width: size.columns * cell.width, height: size.rows * cell.height)
    guard whole != bitmap.size else { return bitmap }
    let left = (whole.width - bitmap.size.width) / 2
    let top = (whole.height - bitmap.size.height) / 2
    var pixels = [UInt8](repeating: 0, count: whole.pixelCount * 4)
    let stride = bitmap.size.width * 4
    for row in 0..<bitmap.size.height {
      let start = ((top + row) * whole.width + left) * 4
      pixels.replaceSubrange(
        start..<start + stride, with: bitmap.pixels[row * stride..<(row + 1) * stride])
    }
    return Bitmap(size: whole, pixels: pixels)
  }

  /// Opacity of a faded picture, of 256.
  private static let fadedParts: UInt16 = 90

  private static func faded(_ bitmap: Bitmap) -> Bitmap {
    var pixels = bitmap.pixels
    for index in stride(from: 3, to: pixels.count, by: 4) {
      pixels[index] = UInt8((UInt16(pixels[index]) * fadedParts) >> 8)
    }
    return Bitmap(size: bitmap.size, pixels: pixels)
  }

  /// Picture blended with a background colour.
  private static func opaque(_ bitmap: Bitmap, on ground: RGB) -> Bitmap {
    let ground = [UInt32(ground.red), UInt32(ground.green), UInt32(ground.blue)]
    var pixels = bitmap.pixels
    for index in stride(from: 0, to: pixels.count, by: 4) where pixels[index + 3] < 255 {
      let alpha = UInt32(pixels[index + 3])
      for channel in 0..<3 {
        let mixed = UInt32(pixels[index + channel]) * alpha + ground[channel] * (255 - alpha)
        pixels[index + channel] = UInt8((mixed + 127) / 255)
      }
      pixels[index + 3] = 255
    }
    return Bitmap(size: bitmap.size, pixels: pixels)
  }

  /// Part of a picture; it must lie inside.
  private static func cut(_ bitmap: Bitmap, x: Int, y: Int, _ part: PixelSize) -> Bitmap {
    let width = bitmap.size.width
    let rows = (y..<y + part.height).map { row in
      bitmap.pixels[(row * width + x) * 4..<(row * width + x + part.width) * 4]
    }
    return Bitmap(size: part, pixels: Array(rows.joined()))
  }
}
