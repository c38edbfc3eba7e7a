import TerminalKit
import Testing

@Suite struct PictureArtTests {
  private static let red: [UInt8] = [255, 0, 0, 255]
  private static let blue: [UInt8] = [0, 0, 255, 255]

  private static func drawn(_ art: PictureArt) -> Canvas {
    var canvas = Canvas(size: art.size)
    canvas.draw(art, at: .zero)
    return canvas
  }

  @Test func `two halves become a half block in the two colours`() {
    let art = PictureArt(
      pixels: Self.red + Self.blue, width: 1, height: 2, size: CellSize(columns: 1, rows: 1),
      symbols: .half)

    let cell = Self.drawn(art)[.zero]
    #expect(cell.glyph.string == "▀")
    #expect(cell.style.foreground == .rgb(RGB(255, 0, 0)))
    #expect(cell.style.background == .rgb(RGB(0, 0, 255)))
  }

  @Test(arguments: [
    (PictureSymbols.quadrant, 2, 2, 16), (.sextant, 2, 3, 64), (.half, 1, 2, 4),
  ])
  func `every pattern of two colours is drawn exactly`(
    symbols: PictureSymbols, width: Int, height: Int, patterns: Int
  ) {
    for pattern in 0..<patterns {
      let dots = (0..<width * height).map { pattern >> $0 & 1 == 1 }
      let art = PictureArt(
        pixels: dots.flatMap { $0 ? Self.red : Self.blue }, width: width, height: height,
        size: CellSize(columns: 1, rows: 1), symbols: symbols)

      let cell = Self.drawn(art)[.zero]
      let shown = Self.dots(of: cell, count: width * height)

      #expect(shown == dots.map { $0 ? RGB(255, 0, 0) : RGB(0, 0, 255) })
    }
  }

  @Test func `transparent pixels show the background`() {
    let art = PictureArt(
      pixels: [9, 9, 9, 0], width: 1, height: 1, size: CellSize(columns: 2, rows: 1),
      background: RGB(10, 20, 30))

    let canvas = Self.drawn(art)

    #expect(canvas.lines == ["  "])
    #expect(canvas[.zero].style.background == .rgb(RGB(10, 20, 30)))
  }

  @Test func `a picture without pixels covers nothing`() {
    let art = PictureArt(pixels: [], width: 0, height: 0, size: CellSize(columns: 4, rows: 2))

    #expect(art.size == .zero)
    #expect(art.byteCount == 0)
  }

  /// The colours of a cell's dots, read back from its character alone.
  private static func dots(of cell: Cell, count: Int) -> [RGB?] {
    let tables: [Int: String] = [2: " ▀▄█", 4: " ▘▝▀▖▌▞▛▗▚▐▜▄▙▟█"]
    let pattern: Int
    if let table = tables[count] {
      pattern = Array(table).firstIndex(of: Character(cell.glyph.string)) ?? -1
    } else {
      let olds = [" ": 0, "▌": 21, "▐": 42, "█": 63]
      let index = Int(cell.glyph.scalarValue(at: 0)) - 0x1FB00 + 1
      let skipped = (index >= 21 ? 1 : 0) + (index + 1 >= 42 ? 1 : 0)
      pattern = olds[cell.glyph.string] ?? index + skipped
    }
    return (0..<count).map {
      (pattern >> $0 & 1 == 1 ? cell.style.foreground : cell.style.background).rgb
    }
  }
}
