import Expectations
import MarketModel
import Testing

@testable import PictureKit

/// Moving pictures whose first frame is not as large as their canvas.
struct CanvasTests {
  private let decoder = PictureDecoder()

  /// A GIF with a canvas and its first frame at a place on it.
  private func gif(
    canvas: (Int, Int), at position: (Int, Int), size: (Int, Int)? = nil,
    _ name: String = "still.gif"
  ) throws -> [UInt8] {
    var bytes = try Fixture.bytes(name)
    let start = try #require(GIFHeader(bytes)).image.lowerBound - 8
    let numbers = [(6, canvas), (start, position)] + (size.map { [(start + 4, $0)] } ?? [])
    for (offset, (first, second)) in numbers {
      bytes.replaceSubrange(
        offset..<offset + 4,
        with: [first, first >> 8, second, second >> 8].map(UInt8.init(truncatingIfNeeded:)))
    }
    return bytes
  }

  /// A moving WebP with a canvas, whose only frame is at an even place on it.
  private func webp(
    canvas: (Int, Int), at position: (Int, Int), _ name: String = "lossy.webp"
  ) throws -> [UInt8] {
    func chunk(_ name: String, _ payload: [UInt8]) -> [UInt8] {
      Array(name.utf8) + number(payload.count, 4) + payload
    }
    func number(_ value: Int, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    let image = Array(try Fixture.bytes(name).dropFirst(12))
    let frame =
      number(position.0 / 2, 3) + number(position.1 / 2, 3) + number(95, 3) + number(63, 3)
      + number(100, 3) + [0] + image
    let body =
      Array("WEBP".utf8)
      + chunk("VP8X", [2, 0, 0, 0] + number(canvas.0 - 1, 3) + number(canvas.1 - 1, 3))
      + chunk("ANIM", [0, 0, 0, 0, 0, 0]) + chunk("ANMF", frame)
    return chunk("RIFF", body)
  }

  private func expectCanvas(_ bytes: [UInt8], of canvas: PixelSize, frameAt position: (Int, Int))
    throws
  {
    try expect(PictureHeader(bytes).size, canvas)
    let bitmap = try decoder.decode(bytes, into: canvas)
    expect(bitmap.size, canvas)
    expect(bitmap.corners, [.clear, .clear, .clear, .clear])
    let (x, y) = position
    expect(Color(bitmap.pixel(x: x + 5, y: y + 5)), .red)
    expect(Color(bitmap.pixel(x: x + 90, y: y + 5)), .green)
    expect(Color(bitmap.pixel(x: x + 5, y: y + 60)), .blue)
    expect(Color(bitmap.pixel(x: x + 90, y: y + 60)), .yellow)
    expect(Color(bitmap.pixel(x: x - 2, y: y + 5)), .clear)
  }

  @Test(arguments: ["still.gif", "interlaced.gif"])
  func `a GIF is as large as its canvas, its first frame where it belongs`(name: String) throws {
    let bytes = try gif(canvas: (120, 124), at: (10, 20), name)

    try expectCanvas(bytes, of: PixelSize(width: 120, height: 124), frameAt: (10, 20))
    // And so is the file that is kept of it.
    let kept = try PhotoCleaner().clean(bytes)
    expect(kept.format, .gif)
    try expectCanvas(kept.bytes, of: PixelSize(width: 120, height: 124), frameAt: (10, 20))
  }

  @Test(arguments: ["lossy.webp", "lossless-alpha.webp"])
  func `so is a WebP`(name: String) throws {
    let bytes = try webp(canvas: (200, 150), at: (60, 40), name)

    try expect(PictureHeader(bytes).size, PixelSize(width: 200, height: 150))
    if name == "lossy.webp" {
      try expectCanvas(bytes, of: PixelSize(width: 200, height: 150), frameAt: (60, 40))
    }
    let small = try decoder.decode(bytes, into: PixelSize(width: 100, height: 100))
    expect(Color(small.pixel(x: 35, y: 25)), .red)
    let kept = try PhotoCleaner().clean(bytes)
    #expect(kept.size == PixelSize(width: 200, height: 150) && !kept.isCut)
  }

  @Test func `a frame that is larger than its canvas makes that larger`() throws {
    let bytes = try gif(canvas: (10, 10), at: (4, 0))

    try expect(PictureHeader(bytes).size, PixelSize(width: 100, height: 64))
  }

  @Test(arguments: [(0, 64), (96, 0), (0, 0)])
  func `a first frame without a size is as large as the canvas`(size: (Int, Int)) throws {
    let bytes = try gif(canvas: (96, 64), at: (0, 0), size: size)

    let bitmap = try decoder.decode(bytes, into: PixelSize(width: 96, height: 64))

    expect(bitmap.corners, [.red, .green, .blue, .yellow])
    try expect(PhotoCleaner().clean(bytes).size, PixelSize(width: 96, height: 64))
  }

  @Test(
    arguments: [[0], [1, 0x2C, 0], [1, 0x05, 0], [1, 0x24, 1, 0x59, 0], [2, 0x24, 0x49, 0]],
    [(0, 0), (10, 10)])
  func `a frame without pixels is passed over, with what belongs to it`(
    data: [UInt8], size: (Int, Int)
  ) throws {
    for name in ["still.gif", "moving.gif"] {
      var bytes = try Fixture.bytes(name)
      let whole = try #require(GIFHeader(bytes))
      let control: [UInt8] = [0x21, 0xF9, 4, 1, 0, 0, 0, 0]
      let frame: [UInt8] = [0x2C, 3, 0, 4, 0, UInt8(size.0), 0, UInt8(size.1), 0, 0, 2]
      let position = whole.globalColors.upperBound
      let added = control + frame + data
      bytes.insert(contentsOf: added, at: position)

      let header = try #require(GIFHeader(bytes))
      #expect(header.size == whole.size && header.frame == whole.frame)
      expect(header.transparentIndex, whole.transparentIndex)
      expect(header.image.lowerBound, whole.image.lowerBound + added.count)
      let bitmap = try decoder.decode(bytes, into: whole.size)
      expect(
        bitmap.corners, (try decoder.decode(try Fixture.bytes(name), into: whole.size)).corners)
      try expect(PhotoCleaner().clean(bytes).size, whole.size)
    }
  }

  @Test func `a frame of a WebP without a picture leaves nothing to the next one`() throws {
    var bytes = try webp(canvas: (96, 64), at: (0, 0))
    let whole = try #require(WebPHeader(bytes))
    let alpha: [UInt8] = Array("ALPH".utf8) + [2, 0, 0, 0, 0, 0]
    let frame = [UInt8](repeating: 0, count: 16) + alpha
    // Behind RIFF, VP8X and ANIM.
    bytes.insert(
      contentsOf: Array("ANMF".utf8) + [UInt8(frame.count), 0, 0, 0] + frame, at: 12 + 18 + 14)

    let header = try #require(WebPHeader(bytes))
    #expect(header.alpha == whole.alpha && header.frame == whole.frame)
    let bitmap = try decoder.decode(bytes, into: PixelSize(width: 96, height: 64))
    expect(Color(bitmap.pixel(x: 5, y: 5)), .red)
  }

  @Test func `a canvas that nobody can draw is refused, however small its frame is`() throws {
    let bytes = try gif(canvas: (65_535, 65_535), at: (0, 0))

    #expect(throws: PictureError.tooLarge) {
      try decoder.decode(bytes, into: PixelSize(width: 24, height: 24))
    }
  }
}
