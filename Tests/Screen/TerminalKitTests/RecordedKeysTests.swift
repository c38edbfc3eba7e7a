import TestSupport
import Testing

@testable import TerminalKit

/// What real terminals send for their keys, recorded by `Tests/Terminals/record-keys.py`.
struct RecordedKeysTests {
  nonisolated static let terminals = [
    "alacritty", "kitty", "konsole", "lxterminal", "mlterm", "qterminal", "st", "urxvt",
    "xterm",
    "zutty",
  ]

  @Test(arguments: terminals)
  func `no key but a character types letters`(terminal: String) throws {
    let file = try FileContent(of: "Tests/Fixtures/TerminalKeys/\(terminal).txt")
    let lines = String(decoding: file.bytes, as: UTF8.self).split(separator: "\n")
    var heard = 0

    for line in lines {
      let words = line.split(separator: " ")
      guard words.count == 2 else { continue }
      heard += 1
      let typed = Self.typed(try #require(Self.bytes(words[1])))
      #expect(typed.isEmpty, "\(words[0]) types “\(typed)”")
    }

    #expect(heard > 60)
  }

  /// Characters that bytes type into a field.
  private static func typed(_ bytes: [UInt8]) -> String {
    var decoder = KeyDecoder()
    let events = decoder.feed(bytes) + decoder.timeout(after: .seconds(2))
    return String(
      events.compactMap { event in
        switch event {
        case .key(let key) where key.modifiers.isDisjoint(with: [.alt, .control]):
          if case .character(let character) = key.key { character } else { nil }
        case .paste(let text): text.first
        default: nil
        }
      })
  }

  private static func bytes(_ digits: Substring) -> [UInt8]? {
    let values = Array(digits.utf8)
    guard values.count % 2 == 0 else { return nil }
    return stride(from: 0, to: values.count, by: 2).map {
      UInt8(String(decoding: values[$0..<$0 + 2], as: UTF8.self), radix: 16) ?? 0
    }
  }
}
