import Expectations
import MarketModel
import Testing

@testable import PictureKit

struct PictureHeaderTests {
  @Test(arguments: Fixture.quarters + Fixture.transparent)
  func `format and size are read`(name: String) throws {
    let header = try PictureHeader(Fixture.bytes(name))

    #expect(name.hasSuffix(header.format.fileExtension))
    expect(header.size, PixelSize(width: 96, height: 64))
    expect(header.hasAlpha, name.contains("alpha"))
    expect(header.isAnimated, name.contains("moving"))
  }

  @Test(arguments: PictureOrientation.allCases)
  func `the orientation is read and the size is that of the upright picture`(
    orientation: PictureOrientation
  ) throws {
    let header = try PictureHeader(Fixture.bytes("orientation-\(orientation.rawValue).jpg"))

    expect(header.orientation, orientation)
    expect(header.size, PixelSize(width: 96, height: 64))
  }

  @Test func `a file in several passes is told from one in a single pass`() throws {
    let names = ["baseline.jpg", "progressive.jpg", "still.gif", "interlaced.gif"]

    let headers = try names.map { try PictureHeader(Fixture.bytes($0)) }

    expect(headers.map(\.isProgressive), [false, true, false, true])
  }

  @Test(arguments: [[], [0xFF], [0xFF, 0xD8, 0xFF], Array("GIF89a".utf8), Array("%PDF-1.4".utf8)])
  func `what is no picture is refused`(bytes: [UInt8]) {
    #expect(throws: PictureError.undecodable) { try PictureHeader(bytes) }
  }

  @Test func `a WebP picture is not read from behind the end of its chunk`() throws {
    var bytes = try Fixture.bytes("lossy.webp")
    bytes.replaceSubrange(16..<20, with: [0, 0, 0, 0])

    #expect(throws: PictureError.undecodable) { try PictureHeader(bytes) }
  }
}
