/// File of named values: name and length in one line, the value in the next.
///
/// Values may contain anything, also line breaks.
nonisolated struct RecordFile {
  private(set) var values: [(name: String, value: String)] = []

  init() {}

  /// Parses the result of `bytes`; nil for anything else.
  init?(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while !rest.isEmpty {
      guard let header = Self.line(&rest) else { return nil }
      let words = header.split(separator: " ")
      guard words.count == 2, let count = Int(words[1]), count >= 0, count < rest.count else {
        return nil
      }
      values.append((String(words[0]), String(decoding: rest.prefix(count), as: UTF8.self)))
      rest = rest.dropFirst(count + 1)
    }
  }

  var bytes: [UInt8] {
    values.flatMap { name, value in
      Array("\(name) \(value.utf8.count)\n\(value)\n".utf8)
    }
  }

  mutating func add(_ name: String, _ value: String) {
    values.append((name, value))
  }

  /// Replaces all values of a name by one; nil removes them.
  mutating func set(_ name: String, _ value: String?) {
    values.removeAll { $0.name == name }
    if let value { add(name, value) }
  }

  func first(_ name: String) -> String? {
    values.first { $0.name == name }?.value
  }

  func all(_ name: String) -> [String] {
    values.filter { $0.name == name }.map(\.value)
  }

  private static func line(_ bytes: inout ArraySlice<UInt8>) -> String? {
    guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
    defer { bytes = bytes[(end + 1)...] }
    return String(decoding: bytes[..<end], as: UTF8.self)
  }
}
