/// Form of the lines of a log.
package enum LogFormat: String, CaseIterable, Sendable {
  /// Words for people.
  case text
  /// A JSON object on each line, for programs that gather logs.
  case json
}

/// Writer of one flat JSON object.
struct JSONLine {
  private(set) var bytes: [UInt8] = [UInt8(ascii: "{")]

  mutating func add(_ name: String, _ number: UInt64) {
    begin(name)
    bytes += String(number).utf8
  }

  mutating func add(_ name: String, _ text: String) {
    begin(name)
    bytes.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
      // RFC 8259, section 7; DEL and what is not ASCII need no escape.
      case 0..<0x20:
        bytes += (byte < 0x10 ? "\\u000" : "\\u00").utf8
        bytes += String(byte, radix: 16).utf8
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  mutating func addNull(_ name: String) {
    begin(name)
    bytes += "null".utf8
  }

  /// The object with the end of its line.
  var line: [UInt8] { bytes + [UInt8(ascii: "}"), UInt8(ascii: "\n")] }

  /// Names are the program's own.
  private mutating func begin(_ name: String) {
    if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
    bytes += "\"\(name)\":".utf8
  }
}
