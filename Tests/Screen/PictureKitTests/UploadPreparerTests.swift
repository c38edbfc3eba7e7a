import Expectations
import MarketModel
import Testing

@testable import PictureKit

struct UploadPreparerTests {
  private let preparer = UploadPreparer()

  @Test(arguments: Fixture.all)
  func `an upload gets a thumbnail and can be decoded`(name: String) async throws {
    let prepared = try await preparer.prepare(Fixture.bytes(name))

    let thumbnail = try PictureHeader(prepared.thumbnail)
    expect(thumbnail.format, .jpeg)
    expect(thumbnail.size, prepared.size)
    try expect(PictureHeader(prepared.bytes).size, prepared.size)
    try expect(PictureHeader(prepared.bytes).format, prepared.format)
  }

  @Test func `the thumbnail of a large picture is 320 pixels wide and short`() async throws {
    let bytes = try PictureEncoder.jpeg(.noise(width: 1_600, height: 800), quality: 90)

    let prepared = try await preparer.prepare(bytes)

    try expect(PictureHeader(prepared.thumbnail).size, PixelSize(width: 320, height: 160))
    #expect(prepared.thumbnail.count <= 25_000)
    #expect(prepared.bytes.count <= bytes.count)
  }

  @Test(arguments: Fixture.all)
  func `a file that was prepared before stays as it is`(name: String) async throws {
    let prepared = try await preparer.prepare(Fixture.bytes(name))

    let again = try await preparer.prepare(prepared.bytes)

    expect(again.bytes, prepared.bytes)
    #expect(again.format == prepared.format && again.size == prepared.size)
  }

  @Test(arguments: Fixture.oriented + ["moving.gif", "moving.webp"])
  func `a forged file of an export with metadata or frames is not kept as it is`(
    name: String
  ) async throws {
    let forged = try Fixture.bytes(name)

    let prepared = try await preparer.prepare(forged)

    #expect(prepared.bytes != forged)
    try await expect(preparer.prepare(prepared.bytes + [1, 2, 3]).bytes, prepared.bytes)
  }

  @Test func `a forged file of an export that is too large or of another format is refused`()
    async throws
  {
    var large = try Fixture.bytes("plain.png")
    large.replaceSubrange(16..<24, with: [0, 1, 0, 0, 0, 1, 0, 0])

    await #expect(throws: PictureError.tooLarge) { try await preparer.prepare(large) }
    for other in ["BM", "II*\0", "<svg xmlns='http://www.w3.org/2000/svg'/>", "%PDF-1.7"] {
      let bytes = Array(other.utf8) + [UInt8](repeating: 0, count: 200)
      await #expect(throws: PictureError.undecodable) { try await preparer.prepare(bytes) }
    }
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
