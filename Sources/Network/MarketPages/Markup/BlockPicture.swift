package import MarketModel

/// Picture of half blocks: each cell shows two dots, one above the other.
package struct BlockPicture: Hashable, Sendable {
  /// Color of a dot, without transparency.
  struct Color: Hashable, Sendable {
    let red: UInt8
    let green: UInt8
    let blue: UInt8
  }

  /// Character cell with its two dots.
  struct Cell: Hashable, Sendable {
    let upper: Color
    let lower: Color
  }

  /// Rows of cells, top to bottom.
  let rows: [[Cell]]

  /// Creates the picture of a bitmap: one column per pixel, one row per two pixels.
  package init(_ bitmap: Bitmap) {
    let (width, height) = (bitmap.size.width, bitmap.size.height)
    rows = (0..<(height + 1) / 2).map { row in
      (0..<width).map { column in
        let upper = Self.color(of: bitmap, column, row * 2)
        let isLast = row * 2 + 1 >= height
        return Cell(
          upper: upper, lower: isLast ? upper : Self.color(of: bitmap, column, row * 2 + 1))
      }
    }
  }

  /// Approximate memory in bytes.
  package var byteCount: Int { rows.reduce(0) { $0 + $1.count } * MemoryLayout<Cell>.stride }

  /// Color of a pixel; transparency is blended with a medium grey, which suits light and dark
  /// terminals.
  private static func color(of bitmap: Bitmap, _ column: Int, _ row: Int) -> Color {
    let start = (row * bitmap.size.width + column) * 4
    let alpha = Int(bitmap.pixels[start + 3])
    func mixed(_ channel: Int) -> UInt8 {
      let value = Int(bitmap.pixels[start + channel])
      return UInt8((value * alpha + ground * (255 - alpha)) / 255)
    }
    return Color(red: mixed(0), green: mixed(1), blue: mixed(2))
  }

  private static let ground = 128
}
