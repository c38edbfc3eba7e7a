/// Hexadecimal coding of bytes, high digit first (RFC 4648, section 8).
package enum Hexadecimal {
  /// Returns two lower-case digits for each byte.
  package static func text(of bytes: ArraySlice<UInt8>) -> String {
    String(unsafeUninitializedCapacity: 2 * bytes.count) { text in
      var index = 0
      for byte in bytes {
        text[index] = digit(byte >> 4)
        text[index + 1] = digit(byte & 15)
        index += 2
      }
      return index
    }
  }

  package static func text(of bytes: [UInt8]) -> String { text(of: bytes[...]) }

  /// Decodes digits of either case; nil for any other text.
  package static func bytes(of text: String) -> [UInt8]? {
    let digits = Array(text.utf8)
    guard digits.count.isMultiple(of: 2) else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(digits.count / 2)
    for index in stride(from: 0, to: digits.count, by: 2) {
      guard let byte = byte(digits[index], digits[index + 1]) else { return nil }
      bytes.append(byte)
    }
    return bytes
  }

  /// Returns the byte of two digits; nil where either is no digit.
  static func byte(_ high: UInt8, _ low: UInt8) -> UInt8? {
    guard let high = value(of: high), let low = value(of: low) else { return nil }
    return high << 4 | low
  }

  /// Returns the value of a digit of either case; nil for any other byte.
  @inlinable
  package static func value(of digit: UInt8) -> UInt8? {
    switch digit {
    case 0x30...0x39: digit - 0x30
    case 0x41...0x46: digit - 0x37
    case 0x61...0x66: digit - 0x57
    default: nil
    }
  }

  private static func digit(_ value: UInt8) -> UInt8 {
    value < 10 ? 0x30 + value : 0x57 + value
  }
}
