import Expectations
import Testing

@testable import TerminalKit

struct BlockArtTests {
  private static let red: [UInt8] = [255, 0, 0, 255]
  private static let blue: [UInt8] = [0, 0, 255, 255]

  private static func drawn(_ art: BlockArt) -> Canvas {
    var canvas = Canvas(size: art.size)
    canvas.draw(art, at: .zero)
    return canvas
  }

  @Test func `two halves become a half block in the two colours`() {
    let art = BlockArt(
      pixels: Self.red + Self.blue, width: 1, height: 2, size: CellSize(columns: 1, rows: 1),
      symbols: .half)

    let cell = Self.drawn(art)[.zero]
    expect(cell.glyph.string, "▀")
    expect(cell.style.foreground, .rgb(RGB(255, 0, 0)))
    expect(cell.style.background, .rgb(RGB(0, 0, 255)))
  }

  @Test(arguments: [(PictureSymbols.quadrant, 2, 2, 16), (.half, 1, 2, 4)])
  func `every pattern of two colours is drawn exactly`(
    symbols: PictureSymbols, width: Int, height: Int, patterns: Int
  ) {
    for pattern in 0..<patterns {
      let dots = (0..<width * height).map { pattern >> $0 & 1 == 1 }
      let art = BlockArt(
        pixels: dots.flatMap { $0 ? Self.red : Self.blue }, width: width, height: height,
        size: CellSize(columns: 1, rows: 1), symbols: symbols)

      let cell = Self.drawn(art)[.zero]
      let shown = Self.dots(of: cell, count: width * height)

      expect(shown, dots.map { $0 ? RGB(255, 0, 0) : RGB(0, 0, 255) })
    }
  }

  /// Dots by their numbers in the character's Unicode name, without the last dot of the cell.
  @Test(arguments: [
    (PictureSymbols.sextant, "1", 0x1FB00), (.sextant, "235", 0x1FB14),
    (.sextant, "12345", 0x1FB1D),
    (.octant, "3", 0x1CD00), (.octant, "14", 0x1CD04), (.octant, "1", 0x1CEA8),
    (.octant, "35", 0x1FBE6), (.octant, "12", 0x2586), (.octant, "13", 0x2598),
    (.octant, "234567", 0x1CD6F),
  ])
  func `sextants and octants have the character of their dots`(
    symbols: PictureSymbols, dots: String, scalar: UInt32
  ) {
    let rows = symbols == .octant ? 4 : 3
    let art = BlockArt(
      pixels: (0..<24 * 2).flatMap { pixel in
        let dot = pixel / 2 * rows / 24 * 2 + pixel % 2 + 1
        return dots.contains("\(dot)") ? Self.red : Self.blue
      }, width: 2, height: 24, size: CellSize(columns: 1, rows: 1), symbols: symbols)

    expect(Self.drawn(art)[.zero].glyph.scalarValue(at: 0), scalar)
  }

  @Test(arguments: [(3, "▅"), (7, "▁")])
  func `a border at an eighth of a cell is drawn there`(above: Int, character: String) {
    let art = BlockArt(
      pixels: (0..<8).flatMap { $0 < above ? Self.red : Self.blue }, width: 1, height: 8,
      size: CellSize(columns: 1, rows: 1))

    let cell = Self.drawn(art)[.zero]

    expect(cell.glyph.string, character)
    expect(cell.style.foreground, .rgb(RGB(0, 0, 255)))
    expect(cell.style.background, .rgb(RGB(255, 0, 0)))
  }

  @Test func `corners are drawn without characters that may take two columns`() {
    for pattern in 0..<16 {
      let art = BlockArt(
        pixels: (0..<4).flatMap { pattern >> $0 & 1 == 1 ? Self.red : Self.blue }, width: 2,
        height: 2, size: CellSize(columns: 1, rows: 1), symbols: .corner)

      let value = Self.drawn(art)[.zero].glyph.scalarValue(at: 0)

      #expect(!"▀▄▌▐█".unicodeScalars.contains { $0.value == value }, "\(pattern)")
    }
  }

  @Test(arguments: [(PictureSymbols.half, 1, 2), (.quadrant, 2, 2)])
  func `a cell keeps a colour of the one before it in the same place, and the same dots`(
    symbols: PictureSymbols, columns: Int, rows: Int
  ) {
    let size = CellSize(columns: 40, rows: 8)
    let dots = (0..<size.count * columns * rows).map { dot in
      let (column, row) = (dot % (size.columns * columns), dot / (size.columns * columns))
      let isTurned = column / columns % 3 == 0
      return (column % columns + row % rows) % 2 == (isTurned ? 0 : 1)
        ? RGB(255, 0, 0) : RGB(0, 0, 255)
    }
    let art = BlockArt(
      pixels: dots.flatMap { [$0.red, $0.green, $0.blue, 255] }, width: size.columns * columns,
      height: size.rows * rows, size: size, symbols: symbols)

    let canvas = Self.drawn(art)

    let shown = canvas.cells.map { Self.dots(of: $0, count: columns * rows) }
    let wanted = (0..<size.count).map { cell in
      (0..<columns * rows).map { dot in
        let row = cell / size.columns * rows + dot / columns
        return dots[row * size.columns * columns + cell % size.columns * columns + dot % columns]
      }
    }
    expect(shown, wanted)
    for row in 0..<size.rows {
      let styles = canvas.cells[row * size.columns..<(row + 1) * size.columns].map(\.style)
      expect(Set(styles).count, 1)
    }
  }

  @Test func `transparent pixels show the background`() {
    let art = BlockArt(
      pixels: [9, 9, 9, 0], width: 1, height: 1, size: CellSize(columns: 2, rows: 1),
      background: RGB(10, 20, 30))

    let canvas = Self.drawn(art)

    expect(canvas.lines, ["  "])
    expect(canvas[.zero].style.background, .rgb(RGB(10, 20, 30)))
  }

  /// Sixteen cells in one colour, as the terminal shows it on average, and how many colours it took.
  private static func even(
    _ color: RGB, _ symbols: PictureSymbols, _ colors: PictureColors
  ) -> (mean: SIMD3<Double>, shown: Set<RGB>) {
    let pixel = [color.red, color.green, color.blue, 255]
    let size = CellSize(columns: 8, rows: 4)
    let canvas = drawn(
      BlockArt(
        pixels: pixel, width: 1, height: 1, size: size, symbols: symbols, colors: colors))
    let dots = canvas.cells.flatMap { Self.dots(of: $0, count: symbols == .half ? 2 : 4) }
      .compactMap(\.self)
    let sum = dots.reduce(into: SIMD3<Double>.zero) {
      $0 += SIMD3(Double($1.red), Double($1.green), Double($1.blue))
    }
    return (sum / Double(dots.count), Set(dots))
  }

  @Test(arguments: [(0x3E68BA, 0x5F87D7), (0x227870, 0x005F5F), (0x4A3020, 0x303030)])
  func `in 256 colours a flat area has one colour, of another lightness rather than of another hue`(
    hex: UInt32, shown wanted: UInt32
  ) {
    let (_, shown) = Self.even(RGB(hex: hex), .quadrant, .palette)

    expect(shown, [RGB(hex: wanted)])
  }

  @Test func `a nearly flat area has no pattern in 256 colours`() {
    let grain: [UInt8] = [112, 118, 114, 119, 113, 117, 116]
    var pixels: [UInt8] = []
    for pixel in 0..<32 * 8 {
      pixels += [grain[pixel * 3 % 7], grain[pixel * 5 % 7], grain[pixel * 2 % 7], 255]
    }
    let size = CellSize(columns: 8, rows: 1)
    let art = BlockArt(pixels: pixels, width: 32, height: 8, size: size, colors: .palette)

    expect(Self.drawn(art).lines, ["        "])
  }

  @Test(arguments: [0, 8, 100, 128, 200, 250] as [UInt8])
  func `greys stay grey in 256 colours`(value: UInt8) {
    let (_, shown) = Self.even(RGB(value, value, value), .quadrant, .palette)

    #expect(shown.allSatisfy { $0.red == $0.green && $0.green == $0.blue })
  }

  @Test func `among sixteen colours pictures are greys by their names`() {
    let art = BlockArt(
      pixels: Self.red + [255, 255, 255, 255] + [0, 0, 0, 255] + [208, 208, 208, 255], width: 2,
      height: 2, size: CellSize(columns: 2, rows: 1), symbols: .half, colors: .grays)

    let canvas = Self.drawn(art)
    let styles = canvas.cells.flatMap { [$0.style.foreground, $0.style.background] }

    #expect(styles.allSatisfy { $0.fallback != nil })
    expect(canvas[CellPoint(column: 1, row: 0)].style.foreground.fallback, .brightWhite)
    expect(canvas[CellPoint(column: 1, row: 0)].style.background.fallback, .white)
  }

  @Test(arguments: [60, 120, 170] as [UInt8])
  func `two greys are mixed by their light, not by their numbers`(value: UInt8) {
    let light = RGB(208, 208, 208)

    let (mean, _) = Self.even(RGB(value, value, value), .half, .blackAndGray)

    let share = mean.x / Double(light.red)
    let wanted = RGB(value, value, value).luminance / light.luminance
    #expect(abs(share - wanted) <= 1 / 16)
  }

  @Test func `with eight colours no cell needs a bright one`() {
    let (_, shown) = Self.even(RGB(120, 120, 120), .half, .blackAndGray)

    expect(shown.count, 2)
  }

  @Test(arguments: [(RGB.black, "⡇"), (.white, "⢸")])
  func `braille puts ink where the picture differs from the ground`(ground: RGB, text: String) {
    let row = [255, 255, 255, 255, 0, 0, 0, 255] as [UInt8]
    let art = BlockArt(
      pixels: row + row + row + row, width: 2, height: 4, size: CellSize(columns: 1, rows: 1),
      symbols: .braille, colors: .ink, background: ground)

    let cell = Self.drawn(art)[.zero]

    expect(cell.glyph.string, text)
    expect(cell.style, .plain)
  }

  private static let everyColors: [PictureColors] = [
    .direct, .palette, .grays, .blackAndGray, .ink,
  ]

  @Test(arguments: PictureSymbols.allCases, everyColors)
  func `whatever the picture, exactly its own cells are drawn`(
    symbols: PictureSymbols, colors: PictureColors
  ) {
    let dots = symbols.pixelsPerCell
    let window = CellRect(size: CellSize(columns: 24, rows: 12))
    let ground = Style(attributes: .bold)
    for (width, height) in [(1, 1), (3, 9), (8, 8), (9, 7), (17, 40), (40, 17)] {
      let pixels = (0..<width * height * 4).map { UInt8(truncatingIfNeeded: $0 &* $0 &* 31) }
      let own = CellSize(
        columns: (width + dots.width - 1) / dots.width,
        rows: (height + dots.height - 1) / dots.height)
      for wanted in [nil, CellSize(columns: 1, rows: 1), CellSize(columns: 13, rows: 6)] {
        let art = BlockArt(
          pixels: pixels, width: width, height: height, size: wanted, symbols: symbols,
          colors: colors)
        expect(art.size, wanted ?? own)
        for origin in [(2, 3), (-3, -2), (20, 10)].map(CellPoint.init(column:row:)) {
          var canvas = Canvas(size: window.size)
          canvas.fill(window, style: ground)
          canvas.draw(art, at: origin)

          let drawn = canvas.cells.indices.filter { canvas.cells[$0].style != ground }
            .map { CellPoint(column: $0 % window.columns, row: $0 / window.columns) }
          let covered = CellRect(origin: origin, size: art.size).intersection(window)
          expect(drawn.count, covered.size.count)
          #expect(drawn.allSatisfy(covered.contains))
        }
      }
    }
  }

  @Test func `a picture without pixels covers nothing`() {
    let art = BlockArt(pixels: [], width: 0, height: 0, size: CellSize(columns: 4, rows: 2))

    expect(art.size, .zero)
    expect(art.byteCount, 0)
  }

  /// The colours of a cell's dots, read back from its character alone.
  private static func dots(of cell: Cell, count: Int) -> [RGB?] {
    let tables: [Int: String] = [2: " ▀▄█", 4: " ▘▝▀▖▌▞▛▗▚▐▜▄▙▟█"]
    let pattern = Array(tables[count] ?? "").firstIndex(of: Character(cell.glyph.string)) ?? -1
    return (0..<count).map {
      (pattern >> $0 & 1 == 1 ? cell.style.foreground : cell.style.background).rgb
    }
  }
}
