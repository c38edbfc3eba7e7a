import Glibc
import MarketModel
import PictureKit
import TerminalKit

/// Prints pictures as block characters, stretched to COLUMNS and ROWS: the program's own way from a file to
/// cells as a process of its own, for measuring it beside others.
///
/// Arguments are COLUMNS, ROWS, the symbols, the colours (`direct`, `palette` or `grays`, all printed as 24-bit
/// colours), and the files.
@main enum BlockRenderBench {
  static func main() throws {
    let words = CommandLine.arguments.dropFirst()
    guard words.count >= 4, let columns = Int(words[1]), let rows = Int(words[2]),
      let symbols = PictureSymbols(rawValue: words[3]), let colors = colors[words[4]]
    else { exit(2) }
    let size = CellSize(columns: columns, rows: rows)
    for path in words.dropFirst(4) {
      var rest = try text(of: path, size, symbols, colors)[...]
      while !rest.isEmpty {
        let count = rest.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
        guard count > 0 else { exit(1) }
        rest = rest.dropFirst(count)
      }
    }
  }

  private static let colors: [String: PictureColors] = [
    "direct": .direct, "palette": .palette, "grays": .grays,
  ]

  private static func text(
    of path: String, _ size: CellSize, _ symbols: PictureSymbols, _ colors: PictureColors
  ) throws -> [UInt8] {
    let cell = symbols.pixelsPerCell
    let bytes = bytes(of: path)
    let bitmap = try PictureDecoder().decode(
      bytes,
      into: covering(
        PixelSize(width: size.columns * cell.width, height: size.rows * cell.height),
        PictureHeader(bytes).size))
    let art = BlockArt(
      pixels: bitmap.pixels, width: bitmap.size.width, height: bitmap.size.height, size: size,
      symbols: symbols, colors: colors)
    var canvas = Canvas(size: size)
    canvas.draw(art, at: .zero)
    var text: [UInt8] = []
    text.reserveCapacity(size.count * 40)
    for row in 0..<size.rows {
      for column in 0..<size.columns {
        let cell = canvas[CellPoint(column: column, row: row)]
        append("\u{1B}[38;2", cell.style.foreground, to: &text)
        append(";48;2", cell.style.background, to: &text)
        text.append(UInt8(ascii: "m"))
        text += cell.glyph.string.utf8
      }
      text += "\u{1B}[0m\n".utf8
    }
    return text
  }

  /// Size of a picture, of its own shape, that has at least the pixels of the box, to which it is stretched.
  private static func covering(_ box: PixelSize, _ picture: PixelSize) -> PixelSize {
    let scale = max(
      Double(box.width) / Double(picture.width), Double(box.height) / Double(picture.height))
    return PixelSize(
      width: Int((Double(picture.width) * scale).rounded(.up)),
      height: Int((Double(picture.height) * scale).rounded(.up)))
  }

  private static func append(_ code: StaticString, _ color: Color, to text: inout [UInt8]) {
    text += UnsafeBufferPointer(start: code.utf8Start, count: code.utf8CodeUnitCount)
    let rgb = color.rgb ?? .black
    for value in [rgb.red, rgb.green, rgb.blue] {
      text.append(UInt8(ascii: ";"))
      if value >= 100 { text.append(UInt8(ascii: "0") + value / 100) }
      if value >= 10 { text.append(UInt8(ascii: "0") + value / 10 % 10) }
      text.append(UInt8(ascii: "0") + value % 10)
    }
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
