/// A header value with parameters (RFC 9110, section 5.6.6): `form-data; name="params"`.
struct HeaderParameters {
  /// What stands before the first `;`.
  let value: String
  private var parameters: [(name: String, value: String)] = []

  /// Reads what can be read: values may be quoted or not, spaces may be missing.
  ///
  /// A quote that is never closed reaches to the end of the line, or to the next parameter where
  /// that has quotes of its own (`name="images[]; filename="a.jpg"`).
  init(parsing text: String) {
    var rest = Array(text.utf8)[...]
    value = Self.piece(of: &rest)
    while !rest.isEmpty {
      let name = rest.prefix { $0 != 0x3D && $0 != 0x3B }
      rest = rest[name.endIndex...]
      guard rest.popFirst() == 0x3D else { continue }
      rest = rest.drop(while: \.isASCIIWhitespace)
      let value = rest.first == 0x22 ? Self.quoted(&rest) : Self.piece(of: &rest)
      parameters.append((String(decoding: name, as: UTF8.self).trimmed, value))
    }
  }

  /// The first parameter of a name, whose case does not matter.
  subscript(name: String) -> String? {
    parameters.first { $0.name.equalsIgnoringASCIICase(name) }?.value
  }

  /// Takes everything up to the next `;`, and that with it.
  private static func piece(of rest: inout ArraySlice<UInt8>) -> String {
    let piece = rest.prefix { $0 != 0x3B }
    rest = rest[piece.endIndex...].dropFirst()
    return String(decoding: piece, as: UTF8.self).trimmed
  }

  /// Takes a value in quotes, and the `;` after it.
  private static func quoted(_ rest: inout ArraySlice<UInt8>) -> String {
    let inside = rest.dropFirst()
    var bytes: [UInt8] = []
    var isEscaped = false
    for (index, byte) in zip(inside.indices, inside) {
      if byte == 0x22, !isEscaped {
        let after = inside[(index + 1)...].drop(while: \.isASCIIWhitespace)
        guard after.isEmpty || after.first == 0x3B else {
          // The quote of another parameter, or one that a file's name holds.
          rest = inside
          return piece(of: &rest)
        }
        rest = after.dropFirst()
        return String(decoding: bytes, as: UTF8.self)
      }
      // Only quotes and backslashes are escaped; paths of old browsers hold lone backslashes.
      if isEscaped, byte != 0x22, byte != 0x5C { bytes.append(0x5C) }
      isEscaped = byte == 0x5C && !isEscaped
      if !isEscaped { bytes.append(byte) }
    }
    rest = []
    return String(decoding: bytes, as: UTF8.self).trimmed
  }
}
