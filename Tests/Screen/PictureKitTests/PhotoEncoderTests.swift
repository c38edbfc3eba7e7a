import Expectations
import MarketModel
import Testing

@testable import PictureKit

struct PhotoEncoderTests {
  @Test(arguments: [3_000, 10_000, 30_000])
  func `a photo that is too long is encoded to fit`(limit: Int) async throws {
    let bytes = try PictureEncoder.jpeg(.noise(width: 400, height: 300), quality: 95)

    let photo = try await PhotoEncoder(limit: limit).encode(bytes)

    #expect(bytes.count > limit)
    #expect(photo.bytes.count <= limit)
    #expect(photo.bytes.count > limit * 8 / 10)
    try expect(PictureHeader(photo.bytes).size, photo.size)
  }

  @Test(arguments: [60_000, 150_000])
  func `a photo of which a sample is encoded first nearly has the length that it may`(
    limit: Int
  ) async throws {
    let bytes = try PictureEncoder.jpeg(.noise(width: 400, height: 1_100), quality: 95)

    let photo = try await PhotoEncoder(limit: limit).encode(bytes)

    #expect(photo.bytes.count <= limit)
    #expect(photo.bytes.count > limit * 8 / 10)
  }

  @Test func `a sample has one of eight bands, and a small picture none`() throws {
    let bitmap = Bitmap.noise(width: 48, height: 1_050)

    let sample = try #require(PhotoPixels(bitmap).sample(share: 8))

    expect(sample.size, PixelSize(width: 48, height: 8 * 16))
    // The first band is the middle one of the first eight.
    let first = 7 * 8 * 48 * 4
    expect(sample.pixels.prefix(48 * 4), bitmap.pixels[first..<first + 48 * 4])
    expect(PhotoPixels(.noise(width: 48, height: 1_000)).sample(share: 8), nil)
  }

  @Test func `a photo that is short enough keeps its pixels and loses its metadata`() async throws {
    let bytes = try Fixture.bytes("orientation-1.jpg")

    let photo = try await PhotoEncoder().encode(bytes)

    #expect(photo.bytes.count < bytes.count)
    try expect(
      PictureDecoder().decode(photo.bytes, into: photo.size),
      PictureDecoder().decode(bytes, into: photo.size))
  }

  @Test func `a photo that is too long is set upright`() async throws {
    let bytes = try Fixture.bytes("orientation-6.jpg")

    let photo = try await PhotoEncoder(limit: 700).encode(bytes)

    #expect(photo.bytes.count <= 700)
    let bitmap = try PictureDecoder().decode(photo.bytes, into: photo.size)
    expect(bitmap.corners, [.red, .green, .blue, .yellow])
  }

  @Test func `a photo of more pixels than fit into memory is reduced as it is decoded`() throws {
    let bytes = try PictureEncoder.jpeg(.noise(width: 400, height: 300), quality: 50)
    let decoder = PictureDecoder(limits: DecodingLimits(memory: bytes.count + 300_000))

    let bitmap = try decoder.decodeLargest(bytes)

    expect(bitmap.size, PixelSize(width: 200, height: 150))
  }

  @Test func `what is transparent becomes white`() async throws {
    let bytes = try Fixture.bytes("alpha.png")
    let bitmap = try PictureDecoder().decode(bytes, into: PixelSize(width: 96, height: 64))

    let jpeg = try PictureEncoder.jpeg(bitmap, quality: 95)

    let decoded = try PictureDecoder().decode(jpeg, into: bitmap.size)
    #expect(decoded.pixel(x: 95, y: 0).allSatisfy { $0 > 250 })
  }
}
