import Expectations
import TerminalKit
import TestSupport
import Testing

/// Every full-screen terminal that Debian's terminfo knows, by its real entry.
struct KeyTableTests {
  @Test func `each key of each terminal is that key or nothing, whole and cut at every byte`()
    throws
  {
    let terminals = try TerminfoListing().terminals.filter(\.isFullScreen)

    #expect(terminals.count > 1_000)
    for terminal in terminals {
      let table = KeyTable(terminal.keys)
      for (name, bytes) in terminal.keys where Self.isKeyOfItsOwn(name, bytes) {
        let same = terminal.keys.filter { $0.bytes == bytes }.map(\.name)
        for cut in bytes.indices {
          var decoder = KeyDecoder(table)
          var decoded = decoder.feed(Array(bytes[..<cut])) + decoder.feed(Array(bytes[cut...]))
          decoded += decoder.timeout()
          let next = decoder.feed(Array("j".utf8))

          #expect(
            decoded.isEmpty
              || decoded.count == 1 && same.contains { KeyTable.is(decoded[0], $0) },
            "\(terminal.name) \(name) \(bytes) cut before \(cut): \(decoded)")
          expect(next, [.key("j")], "\(terminal.name) \(name) \(bytes): \(next)")
        }
      }
    }
  }

  @Test func `a terminal of xterm's family has no table`() throws {
    let terminals = try TerminfoListing().terminals

    for name in ["xterm", "xterm-256color", "tmux-256color", "screen"] {
      let terminal = try #require(terminals.first { $0.name == name })
      let others = terminal.keys.filter { !KeyTable([$0]).isEmpty }
      #expect(KeyTable(terminal.keys).isEmpty, "\(name): \(others)")
    }
  }

  @Test func `what begins like a key of the table means what it means without it`() {
    let table = KeyTable([("kf1", [1, 0x40, 13]), ("kcuu1", [0x1B, 0x41]), ("kcuf1", [12])])
    let cases: [([UInt8], [InputEvent])] = [
      ([1, 0x40, 13], [.key(.function(1))]), ([1, 0x6A], [.key(.control("a")), .key("j")]),
      ([0x1B, 0x41, 0x1B, 0x42], [.key(.up), .key(.alt("B"))]), ([12], [.key(.right)]),
      (Array("\u{1B}[A".utf8), [.key(.up)]), ([0x1B], [.key(.escape)]),
      ([0x1B, 0x6A], [.key(.alt("j"))]), ([3], [.key(.control("c"))]),
    ]
    for (bytes, events) in cases {
      var decoder = KeyDecoder(table)

      expect(decoder.feed(bytes) + decoder.timeout(), events, "\(bytes)")
    }
  }

  /// Whether bytes are those of one key: text, Tab, Enter, Esc and Ctrl-C are keys of every keyboard,
  /// and so are the control characters of keys that have no meaning here.
  private static func isKeyOfItsOwn(_ name: String, _ bytes: [UInt8]) -> Bool {
    guard let first = bytes.first, !(0x20..<0x7F ~= first) else { return false }
    return bytes.count > 1 || KeyTable.key(named: name) != nil && ![3, 9, 13, 27].contains(first)
  }
}

/// Entries of terminfo as infocmp(1) prints them.
private struct TerminfoListing {
  struct Terminal {
    let name: String
    var isFullScreen: Bool { capabilities.isSuperset(of: ["cup", "clear"]) }
    var capabilities: Set<String> = []
    var keys: [(name: String, bytes: [UInt8])] = []
  }

  private(set) var terminals: [Terminal] = []

  init() throws {
    // Hard links are other names of one terminal.
    let script = """
      find /usr/share/terminfo /lib/terminfo -type f -printf '%i %f\\n' | sort -u -k 1,1 |
        while read -r _ name; do echo "=$name"; infocmp -1 "$name"; done |
        grep -E $'^(=|\\t(k|cup=|clear=))'
      """
    let program = try ChildProcess("/bin/bash", arguments: ["-c", script])
    while let line = try program.readLine() {
      guard !line.hasPrefix("=") else {
        terminals.append(Terminal(name: String(line.dropFirst())))
        continue
      }
      let parts = line.dropFirst().dropLast().split(separator: "=", maxSplits: 1)
      guard parts.count == 2, let last = terminals.indices.last else { continue }
      let name = String(parts[0])
      terminals[last].capabilities.insert(name)
      // The beginning of a report of the mouse is no key.
      guard name.hasPrefix("k"), name != "kmous" else { continue }
      terminals[last].keys.append((name, Self.bytes(of: parts[1])))
    }
  }

  /// The bytes that terminfo's notation stands for (terminfo(5)).
  private static func bytes(of text: Substring) -> [UInt8] {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "^"):
        bytes.append(rest.popFirst().map { $0 == 0x3F ? 0x7F : $0 & 0x1F } ?? 0)
      case UInt8(ascii: "\\"): bytes.append(escaped(&rest))
      default: bytes.append(byte)
      }
    }
    return bytes
  }

  private static func escaped(_ rest: inout ArraySlice<UInt8>) -> UInt8 {
    if let digits = rest.first, 0x30..<0x38 ~= digits {
      let octal = rest.prefix(3).prefix { 0x30..<0x38 ~= $0 }
      rest = rest.dropFirst(octal.count)
      return octal.count == 1
        ? 0 : UInt8(truncatingIfNeeded: octal.reduce(0) { $0 * 8 + Int($1) - 0x30 })
    }
    let letters: [UInt8: UInt8] = [
      UInt8(ascii: "E"): 27, UInt8(ascii: "n"): 10, UInt8(ascii: "l"): 10, UInt8(ascii: "r"): 13,
      UInt8(ascii: "t"): 9, UInt8(ascii: "b"): 8, UInt8(ascii: "f"): 12, UInt8(ascii: "s"): 32,
    ]
    let letter = rest.popFirst() ?? 0
    return letters[letter] ?? letter
  }
}
