import Expectations
import Posix
import TestSupport
import Testing

struct FileNameTests {
  @Test
  func `whatever bytes a name has, its text gives them back, and no other name has that text`() {
    var random = SeededRandom(seed: 14)
    // Letters, their beginnings, and the scalars that stand for lost bytes.
    let pieces: [[UInt8]] = [
      Array("a가é".utf8), [0xFF], [0xB0, 0xA1], [0xEC, 0x9E], [0x80], Array("\u{10FF80}".utf8),
      Array("\u{10FFFF}".utf8), Array("�".utf8), [0xED, 0xA0, 0x80], Array("👩‍💻".utf8),
    ]
    var names: [String: [UInt8]] = [:]
    for _ in 0..<500 {
      let bytes = (0...Int.random(in: 0...5, using: &random)).flatMap { _ in
        pieces.randomElement(using: &random) ?? []
      }

      let text = FileName.text(bytes)

      expect(FileName.bytes(text), bytes)
      expect(names[text] ?? bytes, bytes)
      names[text] = bytes
    }
  }

  @Test func `a name of UTF-8 is its own text`() {
    expect(FileName.text("사진 1.jpg".utf8), "사진 1.jpg")
    expect(FileName.repaired(FileName.text([0x62, 0xFF, 0x2E])), "b\u{FFFD}.")
  }
}
