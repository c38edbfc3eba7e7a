import Expectations
import MarketModel
import Testing

@testable import PictureKit

/// Files that end too early: what is there of them is shown, and known to be cut off.
struct CutPictureTests {
  private let decoder = PictureDecoder()
  private let cleaner = PhotoCleaner()
  private let box = PixelSize(width: 24, height: 24)

  // What turns a WebP stands behind its picture.
  @Test(arguments: Fixture.all.filter { $0 != "oriented.webp" })
  func
    `wherever a file ends, its picture can be kept where it can be shown, and says that it is cut`(
      name: String
    ) throws
  {
    let bytes = try Fixture.bytes(name)
    let whole = try cleaner.clean(bytes)
    #expect(!whole.isCut)

    for count in stride(from: 1, to: bytes.count, by: 13) {
      let part = Array(bytes.prefix(count))
      let shown = try? decoder.decode(part, into: box)
      let kept = try? cleaner.clean(part)

      expect(shown == nil, kept == nil, "\(name), \(count) bytes")
      #expect(kept == nil || kept?.size == whole.size, "\(name), \(count) bytes")
      // Of what is missing behind the picture nothing is said.
      if let kept, !kept.isCut { expect(kept.bytes, whole.bytes, "\(name), \(count) bytes") }
    }
  }

  @Test(arguments: [PictureFormat.jpeg, .png], [180, 800])
  func `files of any size keep the same: their upper part as it is`(
    format: PictureFormat, side: Int
  ) async throws {
    let noise = Bitmap.noise(width: side, height: side)
    let bytes =
      format == .jpeg
      ? try JPEGEncoder(noise).encode(quality: 95) : try PNGEncoder(noise).encode()
    let cut = Array(bytes.prefix(bytes.count * 2 / 3))

    let photo = try await PhotoEncoder(limit: 3_000_000).encode(cut)
    let small = try await PhotoEncoder(limit: 100_000).encode(cut)

    #expect(photo.isCut && small.isCut)
    expect(photo.size, noise.size)
    let top = PixelRectangle(columns: 0..<side, rows: 0..<side / 4)
    let shown = try decoder.decode(cut, into: top.size, .part(top))
    try expect(decoder.decode(bytes, into: top.size, .part(top)), shown)
  }

  @Test(arguments: ["lossy.webp", "still.gif", "interlaced.gif", "plain.png"])
  func `most of a small file is most of its picture`(name: String) throws {
    let bytes = try Fixture.bytes(name)
    let cut = Array(bytes.dropLast(name.hasSuffix(".png") ? 40 : 6))

    let bitmap = try decoder.decode(cut, into: PixelSize(width: 96, height: 64))

    expect(bitmap.size, PixelSize(width: 96, height: 64))
    expect(Color(bitmap.pixel(x: 0, y: 0)), .red)
    #expect(try PictureHeader(cut).isCut(cut))
  }

  @Test(arguments: ["noisy.webp", "noisy-lossy.webp"])
  func `of a WebP the rows are shown that are there`(name: String) throws {
    let bytes = try Fixture.bytes(name)
    let cut = Array(bytes.prefix(bytes.count * 2 / 3))
    let top = PixelRectangle(columns: 0..<48, rows: 0..<6)

    let shown = try decoder.decode(cut, into: top.size, .part(top))

    let whole = try decoder.decode(bytes, into: top.size, .part(top))
    // Colours with an alpha beside them are rounded in another way.
    #expect(zip(shown.pixels, whole.pixels).allSatisfy { abs(Int($0) - Int($1)) <= 4 })
    let bottom = try decoder.decode(cut, into: PixelSize(width: 48, height: 48))
    expect(Color(bottom.pixel(x: 20, y: 47)), .clear)
  }

  @Test(arguments: ["still.gif", "interlaced.gif", "alpha.gif", "moving.gif"])
  func `a GIF without its last bytes is whole`(name: String) throws {
    let bytes = try Fixture.bytes(name)
    let whole = try decoder.decode(bytes, into: PixelSize(width: 96, height: 64))

    for count in 1...2 {
      let bitmap = try decoder.decode(
        Array(bytes.dropLast(count)), into: PixelSize(width: 96, height: 64))
      expect(bitmap, whole)
    }
  }

  @Test(arguments: Fixture.all)
  func `a file that ends before its first pixel is refused`(name: String) throws {
    let bytes = try Fixture.bytes(name)

    for count in [3, 8, 12, 20] {
      #expect(throws: PictureError.undecodable) {
        try cleaner.clean(Array(bytes.prefix(count)))
      }
    }
  }
}
