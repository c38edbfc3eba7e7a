import Expectations
import TestSupport
import Testing

@testable import market

/// What comes back of a text that an editor has had.
struct ExternalEditorTests {
  /// The file as editors write it: as it was, with other line ends, or with a byte order mark.
  private static let writers: [(String) -> String] = [
    { $0 }, { lines($0, "\r\n") }, { lines($0, "\r") }, { "\u{FEFF}" + lines($0, "\r\n") },
  ]

  private static func lines(_ text: String, _ end: String) -> String {
    text.map { $0.isNewline ? end : String($0) }.joined()
  }

  @Test(arguments: 0..<100)
  func `a text in which nothing was changed comes back as it was, however often`(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let pieces = ["가", "a", "\n", "\n\n", "\r\n", "\r", " ", "👩‍💻"]
    let text = (0..<Int.random(in: 0...8, using: &random)).map { _ in
      pieces.randomElement(using: &random) ?? ""
    }.joined()

    var edited = text
    for _ in 0..<4 {
      let write = Self.writers.randomElement(using: &random) ?? { $0 }
      edited = ExternalEditor.text(Array(write(edited + "\n").utf8), editedFrom: edited)
    }

    expect(Array(edited.utf8), Array(text.utf8))
  }

  @Test(arguments: ["one\r\ntwo\r\n", "one\ntwo", "one\rtwo\r", "\u{FEFF}one\r\ntwo\r\n"])
  func `what was changed has plain line ends`(file: String) {
    expect(ExternalEditor.text(Array(file.utf8), editedFrom: "before\r\n"), "one\ntwo")
  }
}
