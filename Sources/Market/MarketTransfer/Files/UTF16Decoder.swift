/// Incremental UTF-16 decoder; an unpaired surrogate is invalid.
struct UTF16Decoder {
  let isBigEndian: Bool
  /// First byte of an incomplete unit.
  private var half: UInt8?
  /// First unit of an incomplete surrogate pair.
  private var surrogate: UInt32?

  init(isBigEndian: Bool) {
    self.isBigEndian = isBigEndian
  }

  mutating func decode(_ bytes: [UInt8]) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count * 3 / 2)
    for byte in bytes {
      guard let first = half else {
        half = byte
        continue
      }
      half = nil
      let (high, low) = isBigEndian ? (first, byte) : (byte, first)
      append(UInt32(high) << 8 | UInt32(low), to: &text)
    }
    return text
  }

  /// Ends decoding: the unreadable byte for incomplete input, else nothing.
  mutating func finish() -> [UInt8] {
    defer { (half, surrogate) = (nil, nil) }
    return half == nil && surrogate == nil ? [] : [DecodedFile.unreadable]
  }

  private mutating func append(_ unit: UInt32, to text: inout [UInt8]) {
    var value = unit
    if let high = surrogate {
      surrogate = nil
      if unit & 0xFC00 == 0xDC00 {
        value = 0x1_0000 + (high & 0x3FF) << 10 + (unit & 0x3FF)
      } else {
        text.append(DecodedFile.unreadable)
      }
    }
    if value & 0xFFFF_FC00 == 0xD800 {
      surrogate = value
    } else if let scalar = Unicode.Scalar(value) {
      text += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
    } else {
      text.append(DecodedFile.unreadable)
    }
  }
}
