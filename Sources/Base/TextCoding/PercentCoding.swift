/// Percent coding of URL parts (RFC 3986, section 2.1).
package enum PercentCoding {
  /// Encodes all but unreserved characters, so that the result fits a path segment and a query value.
  package static func encode(_ text: String) -> String {
    var text = text
    // Faster than over a text, whose bytes are looked up one by one.
    if text.withUTF8({ $0.allSatisfy(isUnreserved) }) { return text }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count)
    for byte in text.utf8 {
      if isUnreserved(byte) {
        bytes.append(byte)
      } else {
        bytes.append(0x25)
        bytes.append(hexadecimal(byte >> 4))
        bytes.append(hexadecimal(byte & 0x0F))
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Decodes a path segment, or a name or value of a query (`plusIsSpace`); an invalid escape stays
  /// as it is, invalid UTF-8 is repaired.
  package static func decode(_ text: some StringProtocol, plusIsSpace: Bool = false) -> String {
    decode(Array(text.utf8)[...], plusIsSpace: plusIsSpace)
  }

  package static func decode(_ source: ArraySlice<UInt8>, plusIsSpace: Bool = false) -> String {
    // Most texts have no escape.
    guard source.contains(where: { $0 == 0x25 || (plusIsSpace && $0 == 0x2B) }) else {
      return String(decoding: source, as: UTF8.self)
    }
    return String(decoding: bytes(of: source, plusIsSpace: plusIsSpace), as: UTF8.self)
  }

  /// Whether the decoded bytes are UTF-8, so that `decode` repairs nothing.
  package static func isUTF8(_ source: ArraySlice<UInt8>) -> Bool {
    !source.contains(0x25) || bytes(of: source, plusIsSpace: false).isUTF8
  }

  private static func bytes(of source: ArraySlice<UInt8>, plusIsSpace: Bool) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(source.count)
    var index = source.startIndex
    while index < source.endIndex {
      if source[index] == 0x25, index + 2 < source.endIndex,
        let byte = Hexadecimal.byte(source[index + 1], source[index + 2])
      {
        bytes.append(byte)
        index += 3
      } else {
        bytes.append(plusIsSpace && source[index] == 0x2B ? 0x20 : source[index])
        index += 1
      }
    }
    return bytes
  }

  private static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E: true
    default: false
    }
  }

  private static func hexadecimal(_ digit: UInt8) -> UInt8 {
    digit < 10 ? 0x30 + digit : 0x37 + digit
  }
}
