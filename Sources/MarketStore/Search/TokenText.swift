/// Tokens one after the other, written as the bytes of their text: many times faster than appending
/// to a string.
struct TokenText {
  private var bytes: [UInt8] = []

  init() {
    bytes.reserveCapacity(1_024)
  }

  var text: String { String(decoding: bytes, as: UTF8.self) }

  mutating func append(_ letter: Unicode.Scalar) {
    if letter.isASCII {
      bytes.append(UInt8(truncatingIfNeeded: letter.value))
    } else {
      bytes.append(contentsOf: UTF8.encode(letter) ?? UTF8.encodedReplacementCharacter)
    }
  }

  mutating func endToken() {
    bytes.append(0x20)
  }
}
