import Expectations
import MarketModel
import Testing

@testable import PictureKit

struct DecodingPlanTests {
  private let box = PixelSize(width: 160, height: 160)

  @Test(arguments: [(1_920, 8), (800, 4), (400, 2), (170, 1)])
  func `a JPEG is reduced as far as the box allows`(side: Int, reduction: Int) throws {
    let bytes = JPEGBytes(width: side, height: side).header

    let plan = try plan(bytes)

    expect(plan.decoded.width, (side + reduction - 1) / reduction)
  }

  @Test func `a baseline JPEG of 200 megapixels passes`() throws {
    let bytes = JPEGBytes(width: 16_320, height: 12_240).header

    let plan = try plan(bytes)

    expect(plan.decoded, PixelSize(width: 2_040, height: 1_530))
  }

  @Test func `a JPEG is reduced further where it would take too much memory`() throws {
    let bytes = JPEGBytes(width: 16_320, height: 12_240).header

    let plan = try plan(bytes, box: PixelSize(width: 4_000, height: 3_000))

    expect(plan.decoded, PixelSize(width: 2_040, height: 1_530))
    expect(plan.result, PixelSize(width: 4_000, height: 3_000))
  }

  @Test(arguments: [
    JPEGBytes(width: 65_535, height: 65_535),
    JPEGBytes(width: 16_320, height: 12_240, frame: 0xC2),
    // As many components as usual, but each in a scan of its own.
    JPEGBytes(width: 16_320, height: 12_240, scanComponents: 1, scans: 3),
    // Small, but the decoder goes over it thousands of times.
    JPEGBytes(width: 3_000, height: 2_000, frame: 0xC2, scans: 2_000),
    JPEGBytes(width: 16_320, height: 12_240, frame: 0xC9),
    // A comment between the scans changes nothing.
    JPEGBytes(
      width: 16_320, height: 12_240, scanComponents: 1, scans: 3,
      betweenScans: [0xFF, 0xFE, 0, 3, 9]),
  ])
  func `a JPEG that takes too much is refused`(picture: JPEGBytes) {
    #expect(throws: PictureError.tooLarge) { try plan(picture.header) }
  }

  @Test(arguments: [[0, 1, 0, 0], [0x7F, 0xFF, 0xFF, 0xFF]] as [[UInt8]])
  func `a PNG that says it is huge is refused`(side: [UInt8]) throws {
    var bytes = try Fixture.bytes("plain.png")
    bytes.replaceSubrange(16..<24, with: side + side)

    #expect(throws: PictureError.tooLarge) { try plan(bytes) }
  }

  @Test func `a lossless WebP that says it is huge is refused`() throws {
    var bytes = try Fixture.bytes("moving.webp")
    let signature = try #require(bytes.indices.first { bytes[$0...].starts(with: "VP8L".utf8) })
    bytes.replaceSubrange(signature + 9..<signature + 12, with: [0xFF, 0xFF, 0xFF])

    #expect(throws: PictureError.tooLarge) { try plan(bytes) }
  }

  @Test func `a GIF that says it is huge is refused`() throws {
    var bytes = try Fixture.bytes("still.gif")
    let image = try #require(bytes.indices.last { bytes[$0...].starts(with: [0x2C, 0, 0, 0, 0]) })
    bytes.replaceSubrange(image + 5..<image + 9, with: [0xFF, 0xFF, 0xFF, 0xFF])

    #expect(throws: PictureError.tooLarge) { try plan(bytes) }
  }

  @Test func `a file of more bytes than the limit is refused`() throws {
    let bytes = try Fixture.bytes("plain.png")
    let limits = DecodingLimits(fileBytes: bytes.count - 1)

    #expect(throws: PictureError.tooLarge) {
      try DecodingPlan(bytes, box: box, framing: .fit, limits: limits)
    }
  }

  @Test func `filling a box takes a larger picture than fitting into it`() throws {
    let bytes = JPEGBytes(width: 3_200, height: 800).header

    let fitting = try plan(bytes)
    let filling = try DecodingPlan(
      bytes, box: box, framing: .fill, limits: DecodingLimits())

    expect(fitting.decoded, PixelSize(width: 400, height: 100))
    expect(filling.decoded, PixelSize(width: 800, height: 200))
    expect(filling.crop, PixelRectangle(columns: 300..<500, rows: 0..<200))
  }

  private func plan(_ bytes: [UInt8], box: PixelSize? = nil) throws -> DecodingPlan {
    try DecodingPlan(bytes, box: box ?? self.box, framing: .fit, limits: DecodingLimits())
  }
}

/// The headers of a JPEG file without tables and data.
struct JPEGBytes: Sendable, CustomTestStringConvertible {
  var width: Int
  var height: Int
  var frame: UInt8 = 0xC0
  var scanComponents: UInt8 = 3
  var scans = 1
  var betweenScans: [UInt8] = []

  var header: [UInt8] {
    let sides = [height >> 8, height, width >> 8, width].map(UInt8.init(truncatingIfNeeded:))
    let components: [UInt8] = [3, 1, 0x22, 0, 2, 0x11, 0, 3, 0x11, 0]
    let scan = [0xFF, 0xDA, 0, 3, scanComponents, 0x12, 0x34] + betweenScans
    return [0xFF, 0xD8, 0xFF, frame, 0, 17, 8] + sides + components
      + Array(repeatElement(scan, count: scans).joined()) + [0xFF, 0xD9]
  }

  var testDescription: String { "\(width) x \(height), frame \(frame), \(scans) scans" }
}
