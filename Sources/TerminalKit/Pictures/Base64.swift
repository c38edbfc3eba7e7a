/// Base 64 (RFC 4648, section 4).
enum Base64 {
  private static let digits = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  static func encode(_ bytes: [UInt8]) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: (bytes.count + 2) / 3 * 4) { text, count in
      var index = 0
      while index < bytes.count {
        let given = min(3, bytes.count - index)
        var group: UInt32 = 0
        for offset in 0..<3 {
          group = group << 8 | (offset < given ? UInt32(bytes[index + offset]) : 0)
        }
        for digit in 0..<4 {
          text[count + digit] =
            digit <= given
            ? digits[Int(group >> (18 - 6 * UInt32(digit)) & 63)] : UInt8(ascii: "=")
        }
        count += 4
        index += 3
      }
    }
  }
}
