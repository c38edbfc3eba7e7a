import Expectations
import MarketModel
import Testing

@testable import PictureKit

/// HEIC and AVIF as telephones write them, decoded within the process of the tests.
struct HEIFTests {
  private let encoder = PhotoEncoder()
  private let decoder = PictureDecoder()

  init() {
    #expect(HEIFDecoder.open(), "libheif1 is not installed")
  }

  private func photo(_ name: String) async throws -> (photo: PhotoFile, bitmap: Bitmap) {
    let photo = try await encoder.encode(HEIFDecoder.decode(Fixture.bytes(name)))
    return (photo, try decoder.decode(photo.bytes, into: photo.size))
  }

  @Test(
    arguments: [
      "still.heic", "still.avif", "metadata.heic", "several.heic", "grid.heic",
    ] + (1...8).map { "orientation-\($0).heic" })
  func `the primary picture stands upright by its own boxes, as a JPEG without metadata`(
    name: String
  ) async throws {
    let (photo, bitmap) = try await photo(name)

    expect(photo.format, .jpeg)
    expect(photo.colorFlaw, nil)
    expect(bitmap.corners, [.red, .green, .blue, .yellow])
    try expect(PhotoCleaner().clean(photo.bytes).bytes, photo.bytes)
  }

  @Test(arguments: ["p3.heic", "code-points.heic", "code-points.avif"])
  func `colors of Display P3 become those of sRGB`(name: String) async throws {
    let (_, bitmap) = try await photo(name)

    #expect(bitmap.isNear(red: 218, green: 44, blue: 25))
  }

  @Test func `ten bits a channel become eight`() async throws {
    let (_, bitmap) = try await photo("ten-bit.heic")

    let ends = [0, 48, 95].map { Int(bitmap.pixel(x: $0, y: 30)[$0 * 4 + 30 * 96 * 4]) }
    #expect(ends[0] < 12 && abs(ends[1] - 129) < 8 && ends[2] > 243)
  }

  @Test func `what is transparent becomes white`() async throws {
    let (_, bitmap) = try await photo("alpha.heic")

    expect(Array(bitmap.pixel(x: 90, y: 30).prefix(3)), [255, 255, 255])
  }

  @Test(arguments: ["still.heic", "grid.heic", "still.avif"])
  func `a file that is cut off or changed anywhere is refused or still a picture`(
    name: String
  ) throws {
    let bytes = try Fixture.bytes(name)

    for position in stride(from: 0, to: bytes.count, by: 7) {
      _ = try? HEIFDecoder.decode(Array(bytes.prefix(position)))
      var changed = bytes
      changed[position] ^= 0x55
      _ = try? HEIFDecoder.decode(changed)
    }
  }

  @Test func `a picture is too large before it is decoded`() throws {
    var bytes = try Fixture.bytes("still.heic")
    let extents = try #require(bytes.indices.first { bytes[$0...].starts(with: "ispe".utf8) })
    bytes.replaceSubrange(extents + 8..<extents + 16, with: [0, 0, 0x40, 0, 0, 0, 0x40, 0])

    #expect(throws: PictureError.tooLarge) { try HEIFDecoder.decode(bytes) }
  }

  @Test func `a thumbnail that is large enough stands for a picture that is too large`()
    async throws
  {
    let (photo, bitmap) = try await photo("large.avif")

    expect(photo.size, PixelSize(width: 1_024, height: 682))
    expect(bitmap.corners, [.red, .green, .blue, .yellow])
  }

  @Test func `a large picture that cannot be decoded may lack memory, a small one is broken`()
    throws
  {
    for (width, error) in [(UInt8(0x18), PictureError.tooLarge), (0x08, .undecodable)] {
      var bytes = try Fixture.bytes("still.avif")
      let extents = try #require(bytes.indices.first { bytes[$0...].starts(with: "ispe".utf8) })
      bytes.replaceSubrange(extents + 8..<extents + 16, with: [0, 0, width, 0, 0, 0, width, 0])

      let data = try #require(bytes.indices.first { bytes[$0...].starts(with: "mdat".utf8) })
      for index in (data + 4)..<bytes.count { bytes[index] = 0 }

      #expect(throws: error) { try HEIFDecoder.decode(bytes) }
    }
  }

  @Test func `what a process answers arrives, and what it forges does not`() throws {
    let picture = try HEIFDecoder.decode(Fixture.bytes("p3.heic"))
    let message = HEIFMessage.bytes(picture)

    let arrived = try HEIFMessage.picture(from: message)

    expect(arrived.pixels.bytes, picture.pixels.bytes)
    expect(arrived.colors, picture.colors)
    for forged in [[], Array(message.dropLast()), message + [0], Array(message.prefix(28))] {
      #expect(throws: HEIFMessage.Failure.undecodable) { try HEIFMessage.picture(from: forged) }
    }
    #expect(throws: HEIFMessage.Failure.noLibrary) {
      try HEIFMessage.picture(from: HEIFMessage.bytes(.noLibrary))
    }
  }
}

struct PhotoContentTests {
  @Test(arguments: [
    ("still.heic", PhotoContent.heif), ("still.avif", .heif), ("baseline.jpg", .picture(.jpeg)),
    ("lossy.webp", .picture(.webp)),
  ])
  func `a file is known by its first bytes`(name: String, content: PhotoContent) throws {
    try expect(PhotoContent(sniffing: Fixture.bytes(name)), content)
  }

  @Test(arguments: [
    "\0\0\0\u{14}ftypqt  \0\0\0\0qt  ", "\0\0\0\u{18}ftypmp42\0\0\0\0isommp42",
    "\0\0\0\u{8}wide\0\0\0\0mdat", "RIFF\0\0\0\0AVI LIST",
  ])
  func `films are told from photos`(head: String) {
    expect(PhotoContent(sniffing: Array(head.utf8)), .video)
  }

  @Test(arguments: ["", "\0\0\0", "\0\0\0\u{8}ftyp", "%PDF-1.4", "RIFF\0\0\0\0WAVEfmt "])
  func `other files are neither`(head: String) {
    let content = PhotoContent(sniffing: Array(head.utf8))

    #expect(content == .other || head.hasSuffix("ftyp") && content == .video)
  }
}
