import Expectations
import MarketModel
import Testing

@testable import PictureKit

struct AreaScalerTests {
  @Test func `a chessboard of black and white has half the light of white`() {
    let board = (0..<64).map { ($0 / 8 + $0) % 2 == 0 ? UInt8(0) : 255 }
    let source = RawPixels(
      size: PixelSize(width: 8, height: 8), channels: 3,
      bytes: board.flatMap { [$0, $0, $0] })

    let bitmap = scaled(source, to: PixelSize(width: 2, height: 2))

    // Half of the light is sRGB 188; the mean of the values would be 128.
    expect(bitmap.pixels, Array(repeating: [188, 188, 188, 255], count: 4).flatMap(\.self))
  }

  @Test(arguments: [1, 2, 3, 5, 7, 8, 13])
  func `an even colour stays what it is in every size`(side: Int) {
    for value in UInt8.min...UInt8.max {
      let source = RawPixels(
        size: PixelSize(width: 5, height: 3), channels: 3,
        bytes: Array(repeating: value, count: 45))

      let bitmap = scaled(source, to: PixelSize(width: side, height: side))

      expect(Set(bitmap.pixels), [value, 255])
    }
  }

  @Test func `a column in two halves counts for both`() {
    let source = RawPixels(
      size: PixelSize(width: 3, height: 1), channels: 3,
      bytes: [0, 0, 0, 255, 255, 255, 0, 0, 0])

    let bitmap = scaled(source, to: PixelSize(width: 2, height: 1))

    // A third of the light on each side.
    expect(bitmap.pixels, [156, 156, 156, 255, 156, 156, 156, 255])
  }

  @Test func `colour of transparent pixels does not shine through`() {
    let source = RawPixels(
      size: PixelSize(width: 2, height: 1), channels: 4,
      bytes: [200, 0, 0, 255, 0, 255, 0, 0])

    let bitmap = scaled(source, to: PixelSize(width: 1, height: 1))

    expect(bitmap.pixels, [200, 0, 0, 128])
  }

  @Test func `a crop in the same size is copied`() {
    let source = RawPixels(
      size: PixelSize(width: 3, height: 2), channels: 3,
      bytes: Array(0..<18))

    let bitmap = AreaScaler(
      source, crop: PixelRectangle(columns: 1..<3, rows: 1..<2),
      size: PixelSize(width: 2, height: 1)
    ).scaled()

    expect(bitmap.pixels, [12, 13, 14, 255, 15, 16, 17, 255])
  }

  private func scaled(_ source: RawPixels, to size: PixelSize) -> Bitmap {
    let crop = PixelRectangle(columns: 0..<source.size.width, rows: 0..<source.size.height)
    return AreaScaler(source, crop: crop, size: size).scaled()
  }
}
