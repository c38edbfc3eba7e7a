internal import CQRCode
import Glibc

/// QR code of a text (ISO/IEC 18004), error correction level M, with its quiet zone of four modules.
package struct QRCode: Hashable, Sendable {
  private static let quietZone = 4

  /// Modules in a row, without the quiet zone.
  private let width: Int
  /// Whether a module is dark, row by row.
  private let modules: [Bool]

  /// Encodes a text; nil where it is too long for a code or libqrencode is not installed.
  package init?(_ text: String) {
    var width: Int32 = 0
    guard let bytes = qr_code_modules(text, &width) else { return nil }
    defer { free(bytes) }
    self.width = Int(width)
    modules = UnsafeBufferPointer(start: bytes, count: Int(width * width)).map { $0 & 1 == 1 }
  }

  /// Cells of the code: two modules above each other in one.
  package var size: CellSize {
    let columns = width + 2 * Self.quietZone
    return CellSize(columns: columns, rows: (columns + 1) / 2)
  }

  /// Whether a module of the code with its quiet zone is dark; below the code it is light.
  fileprivate func isDark(column: Int, row: Int) -> Bool {
    let (column, row) = (column - Self.quietZone, row - Self.quietZone)
    guard (0..<width).contains(column), (0..<width).contains(row) else { return false }
    return modules[row * width + column]
  }
}

extension Canvas {
  private static let dark = Color.rgb(.black, fallback: .black)
  private static let light = Color.rgb(.white, fallback: .brightWhite)

  /// Draws a code in exact black on white, whatever the terminal's colours are.
  package mutating func draw(_ code: QRCode, at point: CellPoint) {
    let size = code.size
    for row in 0..<size.rows {
      for column in 0..<size.columns {
        let isTopDark = code.isDark(column: column, row: 2 * row)
        let isBottomDark = code.isDark(column: column, row: 2 * row + 1)
        let style = Style(
          foreground: isTopDark ? Self.dark : Self.light,
          background: isBottomDark ? Self.dark : Self.light)
        put(
          isTopDark == isBottomDark ? .space : "▀", at: point.moved(columns: column, rows: row),
          style: style)
      }
    }
  }
}
