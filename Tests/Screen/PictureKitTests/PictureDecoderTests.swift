import Expectations
import MarketModel
import Testing

@testable import PictureKit

struct PictureDecoderTests {
  private let decoder = PictureDecoder()
  private let box = PixelSize(width: 24, height: 24)

  @Test(arguments: Fixture.quarters)
  func `every format is decoded to the size that fits the box`(name: String) throws {
    let bytes = try Fixture.bytes(name)

    let bitmap = try decoder.decode(bytes, into: box)

    expect(bitmap.size, PixelSize(width: 24, height: 16))
    expect(bitmap.corners, [.red, .green, .blue, .yellow])
  }

  @Test(arguments: Fixture.quarters)
  func `a picture that fills the box keeps its middle`(name: String) throws {
    let bytes = try Fixture.bytes(name)

    let bitmap = try decoder.decode(bytes, into: box, .fill)

    expect(bitmap.size, box)
    expect(bitmap.corners, [.red, .green, .blue, .yellow])
  }

  @Test(arguments: Fixture.oriented)
  func `a picture that lies on its side is set upright`(name: String) throws {
    let bytes = try Fixture.bytes(name)

    let bitmap = try decoder.decode(bytes, into: PixelSize(width: 48, height: 48))

    expect(bitmap.size.width * bitmap.size.height, 48 * 32)
    if name.hasPrefix("orientation") {
      expect(bitmap.corners, [.red, .green, .blue, .yellow])
    } else {
      expect(bitmap.corners, [.blue, .red, .yellow, .green])
    }
  }

  @Test(arguments: Fixture.quarters + Fixture.oriented.filter { $0.hasPrefix("orientation") })
  func `a part is cut out of the picture as it is seen`(name: String) throws {
    let bytes = try Fixture.bytes(name)
    let size = try PictureHeader(bytes).size
    let (right, bottom) = (size.width / 2 + 2..<size.width, size.height / 2 + 2..<size.height)
    let (left, top) = (0..<size.width / 2 - 2, 0..<size.height / 2 - 2)

    let colors = try [(left, top), (right, top), (left, bottom), (right, bottom)].map {
      try decoder.decode(bytes, into: box, .part(PixelRectangle(columns: $0, rows: $1))).corners
    }

    expect(colors, [.red, .green, .blue, .yellow].map { Array(repeating: $0, count: 4) })
  }

  @Test func `a part has no more pixels than the file, and one outside of it is all of it`() throws
  {
    let bytes = try Fixture.bytes("plain.png")
    let size = try PictureHeader(bytes).size

    let part = try decoder.decode(
      bytes, into: box, .part(PixelRectangle(columns: 1..<7, rows: 2..<5)))
    let cut = try decoder.decode(
      bytes, into: box, .part(PixelRectangle(columns: size.width - 4..<9_999, rows: 0..<4)))
    let outside = try decoder.decode(
      bytes, into: size, .part(PixelRectangle(columns: 5_000..<6_000, rows: 0..<4)))

    expect(part.size, PixelSize(width: 6, height: 3))
    expect(cut.size, PixelSize(width: 4, height: 4))
    expect(outside.size, size)
  }

  @Test(arguments: Fixture.transparent)
  func `what is transparent stays so`(name: String) throws {
    let bytes = try Fixture.bytes(name)

    let bitmap = try decoder.decode(bytes, into: box)

    expect(bitmap.corners, [.red, .clear, .blue, .clear])
  }

  @Test func `four-colour JPEG becomes red, green and blue`() throws {
    let bytes = try Fixture.bytes("cmyk.jpg")

    let bitmap = try decoder.decode(bytes, into: box)

    expect(bitmap.corners, [.red, .green, .blue, .yellow])
  }

  @Test func `sixteen bits without a gamma mean what eight bits mean`() throws {
    let bytes = try Fixture.bytes("sixteen-bit.png")

    let bitmap = try decoder.decode(bytes, into: PixelSize(width: 96, height: 64))

    expect(bitmap.pixel(x: 0, y: 0), [0, 0, 0, 255])
    expect(bitmap.pixel(x: 19, y: 0), [51, 51, 51, 255])
    expect(bitmap.pixel(x: 95, y: 63), [255, 255, 255, 255])
  }

  @Test func `a picture smaller than the box grows to it`() throws {
    let bytes = try Fixture.bytes("plain.png")

    let bitmap = try decoder.decode(bytes, into: PixelSize(width: 960, height: 960))

    expect(bitmap.size, PixelSize(width: 960, height: 640))
    expect(bitmap.corners, [.red, .green, .blue, .yellow])
  }
}
