import Expectations
import MarketModel
import Testing

@testable import PictureKit

/// Damaged and hostile files; each test also bounds the time and memory that decoding takes.
struct BrokenPictureTests {
  private let decoder = PictureDecoder()
  private let box = PixelSize(width: 24, height: 24)

  @Test(arguments: Fixture.all)
  func `a file that is cut off gives a picture or an error`(name: String) throws {
    let bytes = try Fixture.bytes(name)

    for count in stride(from: 0, to: bytes.count, by: 3) {
      let bitmap = try? decoder.decode(Array(bytes.prefix(count)), into: box, .fill)
      #expect(bitmap == nil || bitmap?.size == box)
    }
  }

  @Test(arguments: Fixture.all)
  func `a file with a byte changed gives a picture or an error`(name: String) throws {
    let bytes = try Fixture.bytes(name)

    for index in stride(from: 0, to: bytes.count, by: 7) {
      var changed = bytes
      changed[index] ^= 0xFF
      let bitmap = try? decoder.decode(changed, into: box, .fill)
      #expect(bitmap == nil || bitmap?.size == box)
    }
  }

  @Test func `a PNG text that inflates without end is not inflated`() throws {
    let bytes = try Fixture.bytes("plain.png")

    let bitmap = try decoder.decode(bytes.prefix(33) + textBomb() + bytes.dropFirst(33), into: box)

    expect(bitmap.corners, [.red, .green, .blue, .yellow])
  }

  @Test func `an endless GIF is its first frame`() throws {
    let bytes = try Fixture.bytes("moving.gif")
    let comment: [UInt8] = [0x21, 0xFE, 1, 0x41, 0]
    let tail = Array(repeatElement(comment, count: 100_000).joined())

    let bitmap = try decoder.decode(bytes.dropLast() + tail, into: box)

    expect(bitmap.corners, [.red, .green, .blue, .yellow])
  }

  @Test func `a picture that takes longer than it may is given up`() throws {
    let bytes = try Fixture.bytes("still.gif")
    let header = try #require(GIFHeader(bytes))
    let noTime = DecodingDeadline(DecodingLimits(time: .zero))

    let gif = GIFDecoder(header.bareFile(from: bytes), header: header)

    #expect(throws: PictureError.tooLarge) { try gif.decode(noTime) }
  }
}

/// A chunk of a PNG file with a compressed text of 60 MB: a zero and then, in fixed Huffman codes,
/// copies of the last 258 bytes (RFC 1951, 3.2.6), of which eight take 13 bytes.
private func textBomb() -> [UInt8] {
  let eightCopies: [UInt8] = [
    0x05, 0xA3, 0x60, 0x14, 0x8C, 0x82, 0x51, 0x30, 0x0A, 0x46, 0xC1, 0x28, 0x18,
  ]
  let data =
    Array("Comment\0\0".utf8) + [0x78, 0x01, 0x63, 0x18]
    + Array(repeatElement(eightCopies, count: 30_000).joined())
  let length = [data.count >> 24, data.count >> 16, data.count >> 8, data.count]
  return length.map(UInt8.init(truncatingIfNeeded:)) + Array("zTXt".utf8) + data + [0, 0, 0, 0]
}
