import Expectations
import Posix
import Testing

@testable import CommandKit

struct CommandLineWordsTests {
  private static let name: [UInt8] = [0x62, 0xFF, 0x2E, 0x6A, 0x70, 0x67]

  @Test func `the first word that is no UTF-8 is told, but for a file name that keeps its bytes`() {
    let photo = Array("--photo".utf8)

    let kept = CommandLineWords(
      [photo, Self.name, photo + [0x3D] + Self.name], keepingBytesOf: "--photo")
    let broken = CommandLineWords(
      [Array("자전거".utf8), photo, Self.name, Self.name, [0xC0]], keepingBytesOf: "--photo")

    expect(kept.broken, nil)
    expect(kept.words.map(FileName.bytes), [photo, Self.name, photo + [0x3D] + Self.name])
    #expect(broken.broken == "b\u{FFFD}.jpg" && broken.words.first == "자전거")
    expect(CommandLineWords([photo, Self.name]).broken, "b\u{FFFD}.jpg")
    expect(CommandLineWords([]).words, [])
  }
}
