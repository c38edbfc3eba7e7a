import Expectations
import MarketModel
import Testing

@testable import PictureKit

struct PhotoCleanerTests {
  private let cleaner = PhotoCleaner()
  private let decoder = PictureDecoder()

  @Test(arguments: Fixture.all)
  func `nothing but the picture is left`(name: String) throws {
    let photo = try cleaner.clean(Fixture.bytes(name))

    let traces = ["Exif", "EXIF", "eXIf", "Camera", "Ducky", "comment", "XMP", "NETSCAPE", "ANMF"]
    expect(traces.filter { photo.bytes.contains(text: $0) }, [])
    try expect(PictureHeader(photo.bytes).orientation, .upright)
    try expect(PictureHeader(photo.bytes).isAnimated, false)
  }

  @Test(arguments: Fixture.quarters + Fixture.transparent + ["grey.jpg", "cmyk.jpg"])
  func `the pixels of an upright picture stay the same`(name: String) throws {
    let bytes = try Fixture.bytes(name)

    let photo = try cleaner.clean(bytes)

    try expect(
      decoder.decode(photo.bytes, into: photo.size), decoder.decode(bytes, into: photo.size))
    #expect(name.hasSuffix(photo.format.fileExtension))
  }

  @Test(arguments: 2...8)
  func `a JPEG that lies on its side is turned without loss`(orientation: Int) throws {
    let bytes = try Fixture.bytes("orientation-\(orientation).jpg")

    let photo = try cleaner.clean(bytes)

    expect(photo.size, PixelSize(width: 96, height: 64))
    let turned = try decoder.decode(photo.bytes, into: photo.size)
    // Decoding rounds a little differently when it comes from the other side.
    #expect(try turned.largestDifference(from: decoder.decode(bytes, into: photo.size)) <= 3)
  }

  @Test(arguments: ["oriented.png", "oriented.webp"])
  func `another format that lies on its side becomes an upright JPEG`(name: String) throws {
    let photo = try cleaner.clean(Fixture.bytes(name))

    let bitmap = try decoder.decode(photo.bytes, into: photo.size)

    expect(photo.format, .jpeg)
    expect(photo.size, PixelSize(width: 64, height: 96))
    expect(bitmap.corners, [.blue, .red, .yellow, .green])
  }

  @Test(arguments: ["baseline.jpg", "plain.png", "lossy.webp", "still.gif"])
  func `what is appended to a picture is dropped`(name: String) throws {
    let bytes = try Fixture.bytes(name)

    let photo = try cleaner.clean(bytes + Array("<script>".utf8))

    try expect(photo, cleaner.clean(bytes))
  }

  @Test(arguments: Fixture.all)
  func `a file that is cut off is refused or still a picture`(name: String) throws {
    let bytes = try Fixture.bytes(name)

    for count in stride(from: 0, to: bytes.count, by: 3) {
      guard let photo = try? cleaner.clean(Array(bytes.prefix(count))) else { continue }
      try expect(PictureHeader(photo.bytes).size, photo.size)
    }
  }
}

extension Bitmap {
  fileprivate func largestDifference(from other: Bitmap) -> Int {
    zip(pixels, other.pixels).map { abs(Int($0) - Int($1)) }.max() ?? 0
  }
}

extension [UInt8] {
  fileprivate func contains(text: String) -> Bool {
    contains(Array(text.utf8))
  }
}
