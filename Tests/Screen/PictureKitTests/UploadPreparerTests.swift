import MarketModel
import Testing

@testable import PictureKit

@Suite struct UploadPreparerTests {
  private let preparer = UploadPreparer()

  @Test(arguments: Fixture.all)
  func `an upload gets a thumbnail and can be decoded`(name: String) async throws {
    let prepared = try await preparer.prepare(Fixture.bytes(name))

    let thumbnail = try PictureHeader(prepared.thumbnail)
    #expect(thumbnail.format == .jpeg)
    #expect(thumbnail.size == prepared.size)
    #expect(try PictureHeader(prepared.bytes).size == prepared.size)
    #expect(try PictureHeader(prepared.bytes).format == prepared.format)
  }

  @Test func `the thumbnail of a large picture is 320 pixels wide and short`() async throws {
    let bytes = try PictureEncoder.jpeg(.noise(width: 1_600, height: 800), quality: 90)

    let prepared = try await preparer.prepare(bytes)

    #expect(try PictureHeader(prepared.thumbnail).size == PixelSize(width: 320, height: 160))
    #expect(prepared.thumbnail.count <= 25_000)
    #expect(prepared.bytes.count <= bytes.count)
  }

  @Test(arguments: ["baseline.jpg", "lossy.webp"])
  func `a file that ends before its first pixel is refused`(name: String) async throws {
    let bytes = try Fixture.bytes(name)
    let half = Array(bytes.prefix(bytes.count / 2))

    await #expect(throws: PictureError.undecodable) { try await preparer.prepare(half) }
  }

  @Test(arguments: ["plain.png", "still.gif"])
  func `half a file is kept as what there is of it`(name: String) async throws {
    let bytes = try Fixture.bytes(name)
    let half = Array(bytes.prefix(bytes.count / 2))

    let prepared = try await preparer.prepare(half)

    #expect(prepared.isCut && prepared.size == PixelSize(width: 96, height: 64))
    #expect(try await !preparer.prepare(bytes).isCut)
  }
}
