/// A header value with parameters (RFC 9110, section 5.6.6): `form-data; name="params"`.
struct HeaderParameters {
  /// What stands before the first `;`.
  let value: String
  private var parameters: [(name: String, value: String)] = []

  /// Reads what can be read: values may be quoted or not, spaces may be missing.
  init(parsing text: String) {
    let bytes = Array(text.utf8)
    var pieces: [[UInt8]] = [[]]
    var isQuoted = false
    var isEscaped = false
    for byte in bytes {
      if byte == 0x3B, !isQuoted {
        pieces.append([])
        continue
      }
      if byte == 0x22, !isEscaped { isQuoted.toggle() }
      isEscaped = byte == 0x5C && isQuoted && !isEscaped
      pieces[pieces.count - 1].append(byte)
    }
    value = String(decoding: pieces[0], as: UTF8.self).trimmed
    for piece in pieces.dropFirst() {
      let parts = piece.split(separator: 0x3D, maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2 else { continue }
      parameters.append(
        (
          String(decoding: parts[0], as: UTF8.self).trimmed,
          Self.unquoted(String(decoding: parts[1], as: UTF8.self).trimmed)
        ))
    }
  }

  /// The first parameter of a name, whose case does not matter.
  subscript(name: String) -> String? {
    parameters.first { $0.name.equalsIgnoringASCIICase(name) }?.value
  }

  private static func unquoted(_ text: String) -> String {
    guard text.utf8.count >= 2, text.utf8.first == 0x22, text.utf8.last == 0x22 else {
      return text
    }
    var bytes: [UInt8] = []
    var isEscaped = false
    for byte in text.utf8.dropFirst().dropLast() {
      // Only quotes and backslashes are escaped; paths of old browsers hold lone backslashes.
      if isEscaped, byte != 0x22, byte != 0x5C { bytes.append(0x5C) }
      if byte == 0x5C, !isEscaped {
        isEscaped = true
      } else {
        bytes.append(byte)
        isEscaped = false
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
