import Glibc
import MarketModel
import PictureKit
import TerminalKit

/// Prints pictures as sextants in 24-bit colours, stretched to COLUMNS and ROWS: the program's own way
/// from a file to cells as a process of its own, for measuring it beside others.
@main enum PictureCells {
  static func main() throws {
    let words = CommandLine.arguments.dropFirst()
    guard words.count >= 2, let columns = Int(words[1]), let rows = Int(words[2]) else { exit(2) }
    let size = CellSize(columns: columns, rows: rows)
    for path in words.dropFirst(2) { print(try text(of: path, size), terminator: "") }
  }

  private static func text(of path: String, _ size: CellSize) throws -> String {
    let cell = PictureSymbols.sextant.pixelsPerCell
    let box = PixelSize(width: size.columns * cell.width, height: size.rows * cell.height)
    let bitmap = try PictureDecoder().decode(bytes(of: path), into: box)
    let art = PictureArt(
      pixels: bitmap.pixels, width: bitmap.size.width, height: bitmap.size.height, size: size,
      symbols: .sextant)
    var canvas = Canvas(size: size)
    canvas.draw(art, at: .zero)
    var text = ""
    for row in 0..<size.rows {
      for column in 0..<size.columns {
        let cell = canvas[CellPoint(column: column, row: row)]
        text += "\u{1B}[38;2;\(Self.code(cell.style.foreground))"
        text += ";48;2;\(Self.code(cell.style.background))m\(cell.glyph.string)"
      }
      text += "\u{1B}[0m\n"
    }
    return text
  }

  private static func code(_ color: Color) -> String {
    let rgb = color.rgb ?? .black
    return "\(rgb.red);\(rgb.green);\(rgb.blue)"
  }

  private static func bytes(of path: String) -> [UInt8] {
    guard let file = fopen(path, "r") else { return [] }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = fread(&chunk, 1, chunk.count, file), count > 0 {
      bytes += chunk[..<count]
    }
    return bytes
  }
}
