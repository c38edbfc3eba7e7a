/// Base64 (RFC 4648, section 4) as the first v1 clients send pictures inside JSON.
enum Base64 {
  /// Decodes a text; line breaks and missing padding are let through.
  ///
  /// - Parameter text: letters of the standard alphabet.
  /// - Returns: the bytes; nil where anything else stands in the text.
  static func decode(_ text: String) -> [UInt8]? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count / 4 * 3)
    var bits: UInt32 = 0
    var bitCount = 0
    for byte in text.utf8 where !byte.isASCIIWhitespace && byte != 0x3D {
      guard let value = value(of: byte) else { return nil }
      bits = (bits << 6 | value) & 0xFFFF
      bitCount += 6
      if bitCount >= 8 {
        bitCount -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(bitCount)))
      }
    }
    return bytes
  }

  private static func value(of byte: UInt8) -> UInt32? {
    switch byte {
    case 0x41...0x5A: UInt32(byte) - 0x41
    case 0x61...0x7A: UInt32(byte) - 0x61 + 26
    case 0x30...0x39: UInt32(byte) - 0x30 + 52
    case 0x2B: 62
    case 0x2F: 63
    default: nil
    }
  }
}
