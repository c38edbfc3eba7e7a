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

  @Test(arguments: Fixture.all + Fixture.colored)
  func `a clean file consists of what its pixels need, byte for byte`(name: String) throws {
    let photo = try cleaner.clean(Fixture.bytes(name))

    expect(photo.bytes.parts(of: photo.format).subtracting(Self.neededParts), [])
  }

  /// Segments of JPEG, and chunks and blocks of the other formats, that hold pixels or say how to
  /// decode them.
  private static let neededParts: Set<String> = [
    "C0", "C1", "C2", "C4", "DB", "DD", "DA", "D9", "JFIF", "Adobe",
    "IHDR", "PLTE", "tRNS", "IDAT", "IEND", "VP8 ", "VP8L", "VP8X", "ALPH", "F9", "2C", "3B",
  ]

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

  /// Names of the segments, chunks or blocks of a file, "rest" for bytes outside of them.
  fileprivate func parts(of format: PictureFormat) -> Set<String> {
    var (names, offset): (Set<String>, Int) = ([], 0)
    func number(_ start: Int, _ count: Int) -> Int {
      self[start..<start + count].reduce(0) { $0 << 8 | Int($1) }
    }
    switch format {
    case .jpeg:
      offset = 2
      while offset + 1 < count, self[offset] == 0xFF {
        let marker = self[offset + 1]
        let length = marker == 0xD9 ? 0 : number(offset + 2, 2)
        let text = String(decoding: dropFirst(offset + 4).prefix(5), as: UTF8.self)
        switch marker {
        case 0xE0: names.insert(text == "JFIF\0" && length == 16 ? "JFIF" : "E0")
        case 0xEE: names.insert(text == "Adobe" && length == 14 ? "Adobe" : "EE")
        default: names.insert(String(marker, radix: 16, uppercase: true))
        }
        offset += 2 + length
        guard marker == 0xDA else { continue }
        while offset + 1 < count,
          self[offset] != 0xFF || self[offset + 1] == 0 || (0xD0...0xD7).contains(self[offset + 1])
        { offset += 1 }
      }
    case .png:
      offset = 8
      while offset + 12 <= count {
        names.insert(String(decoding: self[offset + 4..<offset + 8], as: UTF8.self))
        offset += 12 + number(offset, 4)
      }
    case .webp:
      offset = 12
      while offset + 8 <= count {
        names.insert(String(decoding: self[offset..<offset + 4], as: UTF8.self))
        let length = self[offset + 4..<offset + 8].reversed().reduce(0) { $0 << 8 | Int($1) }
        offset += 8 + length + length % 2
      }
    case .gif:
      offset = 13 + (self[10] & 0x80 == 0 ? 0 : 3 << (Int(self[10] & 7) + 1))
      while offset < count {
        let kind = self[offset] == 0x21 ? self[offset + 1] : self[offset]
        names.insert(String(kind, radix: 16, uppercase: true))
        switch self[offset] {
        case 0x21: offset += 2
        case 0x2C:
          let flags = self[offset + 9]
          offset += 11 + (flags & 0x80 == 0 ? 0 : 3 << (Int(flags & 7) + 1))
        default:
          offset += 1
          continue
        }
        while self[offset] != 0 { offset += 1 + Int(self[offset]) }
        offset += 1
      }
    }
    return offset == count ? names : names.union(["rest"])
  }
}
