import Expectations
import TerminalTestSupport
import Testing

@testable import TerminalKit

struct SixelPictureTests {
  private static let cell = CellPixels(width: 5, height: 7)

  /// Colours that change smoothly in both directions.
  private static func pixels(_ size: CellSize) -> [UInt8] {
    let width = size.columns * cell.width
    let height = size.rows * cell.height
    return (0..<height).flatMap { row in
      (0..<width).flatMap { column in
        [UInt8(255 * column / width), UInt8(255 * row / height), UInt8(80), 255]
      }
    }
  }

  private static func picture(_ size: CellSize, colors: Int = 256) -> SixelPicture {
    SixelPicture(pixels: pixels(size), size: size, cell: cell, colors: colors)
  }

  @Test func `every pixel is painted, near its own colour`() throws {
    let size = CellSize(columns: 8, rows: 5)

    let reader = SixelReader(Self.picture(size).bytes(of: CellRect(size: size)))

    #expect(reader.mistakes.isEmpty)
    #expect((reader.width, reader.height) == (40, 35))
    expect(reader.pixels.count, 40 * 35)
    #expect(reader.palette.count <= 256)
    let source = Self.pixels(size)
    var error = 0
    for (position, color) in reader.pixels {
      for channel in 0..<3 {
        let difference =
          color[channel] - Int(source[(position[1] * 40 + position[0]) * 4 + channel])
        error += difference * difference
      }
    }
    #expect(error / (40 * 35 * 3) < 40)
  }

  @Test func `whole bands end within the picture`() {
    let size = CellSize(columns: 8, rows: 5)
    let picture = Self.picture(size)

    let whole = SixelReader(picture.bytes(of: CellRect(size: size), ending: .wholeBands))
    let row = CellRect(column: 0, row: 4, columns: 8, rows: 1)
    let last = SixelReader(picture.bytes(of: row, ending: .wholeBands))

    #expect((whole.height, last.height) == (30, 6))
    #expect((whole.pixels.count, last.pixels.count) == (40 * 30, 40 * 6))
    #expect(whole.mistakes.isEmpty && last.mistakes.isEmpty)
  }

  @Test(arguments: 1...4)
  func `whole bands of a part that goes on below reach the rest`(rows: Int) {
    let size = CellSize(columns: 8, rows: 5)
    let picture = Self.picture(size)
    let part = CellRect(column: 0, row: 0, columns: 8, rows: rows)

    let upper = SixelReader(picture.bytes(of: part, ending: .wholeBandsBeyond))
    let whole = SixelReader(picture.bytes(of: CellRect(size: size)))

    #expect(upper.height % 6 == 0 && 0..<6 ~= upper.height - rows * 7 || upper.height == 30)
    #expect(upper.pixels.allSatisfy { position, color in whole.pixels[position] == color })
  }

  @Test func `few colours are dithered, so that areas keep their brightness`() {
    let size = CellSize(columns: 8, rows: 5)

    let reader = SixelReader(
      Self.picture(size, colors: 16).bytes(of: CellRect(size: size)))

    #expect(reader.palette.count <= 16)
    func mean(_ channel: Int) -> Int {
      reader.pixels.values.reduce(0) { $0 + $1[channel] } / reader.pixels.count
    }
    let source = Self.pixels(size)
    for channel in 0..<3 {
      let sum = stride(from: channel, to: source.count, by: 4).reduce(0) { $0 + Int(source[$1]) }
      #expect(abs(mean(channel) - sum / (source.count / 4)) <= 3)
    }
  }

  @Test func `many colours have no dots, whose runs would be short`() {
    let size = CellSize(columns: 8, rows: 4)
    let pixels = (0..<40 * 28).flatMap { pixel in
      let shade = UInt8(pixel / 40 / 7 * 2 + 100)
      return [shade, shade, shade, 255]
    }

    let picture = SixelPicture(pixels: pixels, size: size, cell: Self.cell, colors: 64)
    let reader = SixelReader(picture.bytes(of: CellRect(size: size)))

    for row in 0..<28 {
      expect(Set((0..<40).compactMap { reader.pixels[[$0, row]] }).count, 1)
    }
  }

  @Test func `a part is the same pixels as in the whole`() {
    let size = CellSize(columns: 6, rows: 4)
    let picture = Self.picture(size)
    let whole = SixelReader(picture.bytes(of: CellRect(size: size)))

    let part = SixelReader(
      picture.bytes(of: CellRect(column: 2, row: 1, columns: 3, rows: 2)))

    #expect(part.mistakes.isEmpty)
    #expect((part.width, part.height) == (15, 14))
    expect(part.pixels.count, 15 * 14)
    #expect(
      part.pixels.allSatisfy { position, color in
        whole.pixels[[position[0] + 10, position[1] + 7]] == color
      })
  }

  @Test func `a picture of one colour needs one`() {
    let size = CellSize(columns: 2, rows: 1)
    let pixels = [UInt8](repeating: 255, count: 10 * 7 * 4)

    let picture = SixelPicture(pixels: pixels, size: size, cell: Self.cell, colors: 256)
    let reader = SixelReader(picture.bytes(of: CellRect(size: size)))

    expect(reader.palette, [0: [255, 255, 255]])
    expect(reader.pixels.count, 70)
  }
}
