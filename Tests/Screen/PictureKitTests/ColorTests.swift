import Expectations
import MarketModel
import Testing

@testable import PictureKit

/// Pictures with a description of their colors: (200, 60, 40) of Display P3 is (218, 45, 23) of sRGB.
struct ColorTests {
  private let decoder = PictureDecoder()
  private let cleaner = PhotoCleaner()

  @Test(arguments: ["p3.jpg", "p3.png", "p3.webp", "code-points.png"])
  func `a picture of Display P3 is drawn in sRGB`(name: String) throws {
    let bitmap = try decoder.decode(Fixture.bytes(name), into: PixelSize(width: 8, height: 8))

    #expect(bitmap.isNear(red: 218, green: 44, blue: 25))
  }

  @Test(arguments: ["p3.jpg", "p3.png", "p3.webp", "code-points.png"])
  func `a photo of Display P3 is taken in as sRGB that says nothing about it`(name: String) throws {
    let photo = try cleaner.clean(Fixture.bytes(name))

    expect(photo.colorFlaw, nil)
    try expect(PictureHeader(photo.bytes).colors, nil)
    #expect(try decoder.decode(photo.bytes, into: photo.size).isNear(red: 218, green: 44, blue: 25))
  }

  @Test func `a photo with a profile of sRGB keeps its coded pixels and loses the profile`() throws
  {
    let bytes = try Fixture.bytes("srgb.jpg")

    let photo = try cleaner.clean(bytes)

    try expect(PictureHeader(photo.bytes).colors, nil)
    let size = PixelSize(width: 96, height: 64)
    try expect(
      JPEGDecoder(photo.bytes, size: size).decode().bytes,
      JPEGDecoder(bytes, size: size).decode().bytes)
  }

  @Test func `a broken profile is ignored, and said to be broken`() throws {
    let photo = try cleaner.clean(Fixture.bytes("broken-profile.jpg"))

    expect(photo.colorFlaw, .brokenProfile)
    #expect(try decoder.decode(photo.bytes, into: photo.size).isNear(red: 200, green: 60, blue: 40))
  }

  @Test func `a profile in pieces is put together by their numbers, and one with a gap is broken`()
    throws
  {
    let bytes = try Fixture.bytes("p3.jpg")
    let whole = try #require(try PictureHeader(bytes).colors)
    guard case .profile(let profile) = whole.description(in: bytes) else { return }
    let (first, second) = (profile.prefix(100), profile.dropFirst(100))

    let swapped = try Self.file(bytes, with: [(2, 2, second), (1, 2, first)])
    let cut = try Self.file(bytes, with: [(1, 3, first), (2, 3, second)])

    try expect(PictureHeader(swapped).colors?.description(in: swapped), .profile(profile))
    try expect(PictureHeader(cut).colors?.description(in: cut), .profile([]))
  }

  @Test func `a PNG of another gamma is taken in as sRGB`() throws {
    let photo = try cleaner.clean(Fixture.bytes("gamma.png"))

    let bitmap = try decoder.decode(photo.bytes, into: photo.size)

    #expect(bitmap.isNear(red: 229, green: 133, blue: 110))
  }

  @Test func `a JPEG that is coded arithmetically is coded anew`() throws {
    let photo = try cleaner.clean(Fixture.bytes("arithmetic.jpg"))

    guard case .jpeg(let header) = try PictureHeader(photo.bytes).coding else { return }
    expect(header.frame.isArithmetic, false)
    expect(photo.isCut, false)
    try expect(
      decoder.decode(photo.bytes, into: photo.size).corners, [.red, .green, .blue, .yellow])
  }

  @Test(arguments: [1, 2, 6, 9, 12, 255], [1, 8, 13, 16, 18, 255])
  func `every combination of code points is followed or counts as sRGB`(
    primaries: Int, transfer: Int
  ) {
    let points = ColorCodePoints(primaries: primaries, transfer: transfer)

    let conversion = ColorConversion(.codePoints(points), .rgb, channels: 3)

    expect(conversion.flaw, nil)
    let white = RawPixels(
      size: PixelSize(width: 1, height: 1), channels: 3, bytes: [255, 255, 255])
    let converted = conversion.transform?.applied(to: white) ?? white
    #expect(converted.bytes.allSatisfy { $0 >= 250 })
    if transfer == 13, [1, 2, 255].contains(primaries) { #expect(conversion.transform == nil) }
  }

  @Test func `of a profile cut or changed anywhere something is drawn`() throws {
    let bytes = try Fixture.bytes("p3.jpg")
    guard case .profile(let pieces) = try PictureHeader(bytes).colors else { return }

    for position in pieces[0] {
      var changed = bytes
      changed[position] ^= 0xFF
      _ = try decoder.decode(changed, into: PixelSize(width: 1, height: 1))
    }
  }

  /// A JPEG with other pieces of a profile.
  private static func file(
    _ bytes: [UInt8], with pieces: [(number: UInt8, of: UInt8, content: ArraySlice<UInt8>)]
  ) throws -> [UInt8] {
    let bare = try #require(try PictureHeader(bytes).bareFile(from: bytes))
    let segments = pieces.flatMap { piece in
      let payload = Array("ICC_PROFILE\0".utf8) + [piece.number, piece.of] + piece.content
      return [0xFF, 0xE2, UInt8((payload.count + 2) >> 8), UInt8((payload.count + 2) & 255)]
        + payload
    }
    return bare.prefix(2) + segments + bare.dropFirst(2)
  }
}

extension Bitmap {
  /// Whether the pixel in the middle has a color, within what a JPEG changes.
  func isNear(red: Int, green: Int, blue: Int) -> Bool {
    let pixel = pixel(x: size.width / 2, y: size.height / 2).prefix(3).map(Int.init)
    return zip(pixel, [red, green, blue]).allSatisfy { abs($0 - $1) <= 4 }
  }
}
