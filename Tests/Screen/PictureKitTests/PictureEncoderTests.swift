import Expectations
import MarketModel
import Testing

@testable import PictureKit

struct PictureEncoderTests {
  @Test(arguments: [PixelSize(width: 1, height: 1), PixelSize(width: 61, height: 37)])
  func `PNG gives back every pixel`(size: PixelSize) throws {
    let bitmap = Bitmap.noise(width: size.width, height: size.height)

    let file = try PictureEncoder.png(bitmap)

    try expect(PictureDecoder().decode(file, into: size), bitmap)
  }

  @Test func `PNG keeps transparency`() throws {
    let bitmap = Bitmap(size: PixelSize(width: 2, height: 1), pixels: [9, 8, 7, 6, 5, 4, 3, 255])

    let file = try PictureEncoder.png(bitmap)

    try expect(PictureDecoder().decode(file, into: bitmap.size), bitmap)
  }

  @Test func `PNG of a palette gives back its colours`() throws {
    let size = PixelSize(width: 2, height: 2)

    let file = try PictureEncoder.png(
      indices: [0, 1, 1, 0], palette: [1, 2, 3, 250, 251, 252], size: size)

    let (dark, light) = ([1, 2, 3, 255] as [UInt8], [250, 251, 252, 255] as [UInt8])
    try expect(
      PictureDecoder().decode(file, into: size),
      Bitmap(size: size, pixels: dark + light + light + dark))
  }

  @Test func `more quality takes more bytes`() throws {
    let bitmap = Bitmap.noise(width: 64, height: 64)

    let lengths = try [20, 50, 90].map { try PictureEncoder.jpeg(bitmap, quality: $0).count }

    expect(lengths, lengths.sorted())
  }
}
