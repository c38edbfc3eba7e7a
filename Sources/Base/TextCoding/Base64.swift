/// Base64 coding (RFC 4648, section 4).
package enum Base64 {
  private static let digits = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  /// Encodes bytes, padded to a multiple of four digits.
  package static func encode(_ bytes: [UInt8]) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: (bytes.count + 2) / 3 * 4) { text, count in
      bytes.withUnsafeBufferPointer { bytes in
        digits.withUnsafeBufferPointer { digits in
          func write(_ group: Int, _ digitCount: Int) {
            for digit in 0..<4 {
              text[count + digit] =
                digit < digitCount ? digits[group >> (18 - 6 * digit) & 63] : UInt8(ascii: "=")
            }
            count += 4
          }
          let whole = bytes.count / 3 * 3
          for index in stride(from: 0, to: whole, by: 3) {
            write(
              Int(bytes[index]) << 16 | Int(bytes[index + 1]) << 8 | Int(bytes[index + 2]), 4)
          }
          switch bytes.count - whole {
          case 1: write(Int(bytes[whole]) << 16, 2)
          case 2: write(Int(bytes[whole]) << 16 | Int(bytes[whole + 1]) << 8, 3)
          default: break
          }
        }
      }
    }
  }

  /// Decodes a text; nil where it contains other characters than digits.
  ///
  /// Padding may be missing, and white space may occur anywhere, such as the line breaks of mail.
  package static func decode(_ text: String) -> [UInt8]? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count / 4 * 3)
    var bits: UInt32 = 0
    var bitCount = 0
    for byte in text.utf8 where !isLetThrough(byte) {
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

  /// Whether a byte is skipped: white space and padding.
  private static func isLetThrough(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x09, 0x0A, 0x0D, 0x20, UInt8(ascii: "="): true
    default: false
    }
  }

  private static func value(of digit: UInt8) -> UInt32? {
    switch digit {
    case 0x41...0x5A: UInt32(digit) - 0x41
    case 0x61...0x7A: UInt32(digit) - 0x61 + 26
    case 0x30...0x39: UInt32(digit) - 0x30 + 52
    case 0x2B: 62
    case 0x2F: 63
    default: nil
    }
  }
}
