import Expectations
import Testing

@testable import TerminalKit

struct InlinePictureTests {
  /// The arguments and the file of OSC 1337, as iTerm2's documentation describes it.
  private static func read(_ bytes: [UInt8]) -> (arguments: [Substring: Substring], file: [UInt8])?
  {
    let text = String(decoding: bytes, as: UTF8.self)
    guard text.hasPrefix("\u{1B}]1337;File="), text.hasSuffix("\u{7}"),
      let colon = text.firstIndex(of: ":")
    else { return nil }
    let pairs = text[..<colon].dropFirst(12).split(separator: ";").map {
      $0.split(separator: "=")
    }
    return (
      Dictionary(uniqueKeysWithValues: pairs.map { ($0[0], $0[1]) }),
      KittyReader.decode(text[text.index(after: colon)...].dropLast())
    )
  }

  @Test(arguments: [1, 2, 3, 1_000])
  func `the file arrives as it is, with its size in bytes and cells`(count: Int) throws {
    let file = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
    let picture = InlinePicture(file: file, uncutBytes: 0) { _ in [] }

    let read = try #require(
      Self.read(picture.bytes(of: nil, size: CellSize(columns: 7, rows: 3))))

    expect(read.file, file)
    expect(read.arguments["size"], "\(count)")
    expect(read.arguments["width"], "7")
    expect(read.arguments["height"], "3")
    expect(read.arguments["inline"], "1")
  }

  @Test func `a part is cut anew and covers only its cells`() throws {
    let picture = InlinePicture(file: [1, 2, 3], uncutBytes: 0) { part in
      [UInt8(part.minColumn), UInt8(part.minRow)]
    }
    let part = CellRect(column: 4, row: 2, columns: 2, rows: 1)

    let read = try #require(
      Self.read(picture.bytes(of: part, size: CellSize(columns: 7, rows: 3))))

    expect(read.file, [4, 2])
    expect(read.arguments["width"], "2")
    expect(read.arguments["height"], "1")
  }

  @Test func `what is kept to be cut counts as memory`() {
    let picture = InlinePicture(file: [1, 2, 3], uncutBytes: 4_000) { _ in [] }

    expect(picture.byteCount, 4 + 4_000)
  }
}
