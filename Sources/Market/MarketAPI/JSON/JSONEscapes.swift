/// Escapes in JSON strings (RFC 8259, section 7).
enum JSONEscapes {
  /// Decodes the bytes between the quotes.
  ///
  /// The parser has checked that escapes are complete; an unpaired surrogate becomes U+FFFD.
  static func decode(_ bytes: ArraySlice<UInt8>) -> String {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var index = bytes.startIndex
    while index < bytes.endIndex {
      guard bytes[index] == 0x5C else {
        result.append(bytes[index])
        index += 1
        continue
      }
      if bytes[index + 1] == 0x75 {
        append(scalar(in: bytes, at: &index), to: &result)
      } else {
        result.append(simple(bytes[index + 1]))
        index += 2
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// Writes a text with all necessary escapes, and those of U+2028 and U+2029, which end a line where
  /// JSON is read as JavaScript.
  static func append(_ text: UnsafeBufferPointer<UInt8>, to bytes: inout [UInt8]) {
    var start = 0
    var index = 0
    while index < text.count {
      let plain = plainCount(of: text, from: index)
      guard plain == 0 else {
        index += plain
        continue
      }
      guard needsEscape(text, at: index) else {
        index += 1
        continue
      }
      bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[start..<index]))
      index += appendEscape(of: text, at: index, to: &bytes)
      start = index
    }
    bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[start...]))
  }

  /// Number of bytes that `append(_:to:)` writes for a text.
  static func byteCount(of text: UnsafeBufferPointer<UInt8>) -> Int {
    var count = text.count
    for index in text.indices {
      switch text[index] {
      case 0x09, 0x0A, 0x0D, 0x22, 0x5C: count += 1
      case 0..<0x20, 0x7F: count += 5
      case 0xE2 where isLineSeparator(text, at: index): count += 3
      default: break
      }
    }
    return count
  }

  /// Number of bytes of an escaped scalar.
  static func byteCount(of scalar: Unicode.Scalar) -> Int {
    switch scalar.value {
    case 0x09, 0x0A, 0x0D, 0x22, 0x5C: 2
    case 0..<0x20, 0x7F, 0x2028, 0x2029: 6
    default: UTF8.width(scalar)
    }
  }

  /// Number of the next bytes, at most eight, that surely need no escape, tested as one word (Sean
  /// Anderson, "Bit Twiddling Hacks": "Determine if a word has a byte less than n"); 0 in short texts.
  private static func plainCount(
    of text: UnsafeBufferPointer<UInt8>, from index: Int
  ) -> Int {
    guard text.count >= 8, let start = text.baseAddress else { return 0 }
    // The last word is shifted, and the zeros that fill it up count as control characters.
    let offset = min(index, text.count - 8)
    let last = UnsafeRawPointer(start).loadUnaligned(fromByteOffset: offset, as: UInt64.self)
    let word = UInt64(littleEndian: last) >> (8 * (index - offset))
    let control = (word &- ones &* 0x20) & ~word
    let special =
      control | zeroByte(word ^ ones &* 0x22) | zeroByte(word ^ ones &* 0x5C)
      | zeroByte(word ^ ones &* 0x7F) | zeroByte(word ^ ones &* 0xE2)
    // Both operators have the same precedence. A byte above the lowest found one may be found wrongly.
    return (special & (ones &* 0x80)).trailingZeroBitCount / 8
  }

  private static let ones: UInt64 = 0x0101_0101_0101_0101

  private static func zeroByte(_ word: UInt64) -> UInt64 { (word &- ones) & ~word }

  private static func needsEscape(_ text: UnsafeBufferPointer<UInt8>, at index: Int) -> Bool {
    switch text[index] {
    case 0..<0x20, 0x22, 0x5C, 0x7F: true
    case 0xE2: isLineSeparator(text, at: index)
    default: false
    }
  }

  /// Returns the number of escaped bytes of the text.
  private static func appendEscape(
    of text: UnsafeBufferPointer<UInt8>, at index: Int, to bytes: inout [UInt8]
  ) -> Int {
    switch text[index] {
    case 0x22, 0x5C: bytes.append(contentsOf: [0x5C, text[index]])
    case 0x0A: bytes.append(contentsOf: [0x5C, 0x6E])
    case 0x0D: bytes.append(contentsOf: [0x5C, 0x72])
    case 0x09: bytes.append(contentsOf: [0x5C, 0x74])
    case 0xE2:
      bytes.append(contentsOf: (text[index + 2] == 0xA8 ? "\\u2028" : "\\u2029").utf8)
      return 3
    case let control:
      bytes.append(contentsOf: "\\u00".utf8)
      bytes.append(0x30 + control >> 4)
      let low = control & 0x0F
      bytes.append(low < 10 ? 0x30 + low : 0x57 + low)
    }
    return 1
  }

  private static func isLineSeparator(_ text: UnsafeBufferPointer<UInt8>, at index: Int) -> Bool {
    index + 2 < text.count && text[index + 1] == 0x80 && text[index + 2] & 0xFE == 0xA8
  }

  private static func simple(_ letter: UInt8) -> UInt8 {
    switch letter {
    case 0x62: 0x08
    case 0x66: 0x0C
    case 0x6E: 0x0A
    case 0x72: 0x0D
    case 0x74: 0x09
    default: letter
    }
  }

  /// Reads one `\uXXXX`, or two that form a surrogate pair.
  private static func scalar(in bytes: ArraySlice<UInt8>, at index: inout Int) -> Unicode.Scalar {
    let first = unit(in: bytes, at: index)
    index += 6
    if first & 0xFC00 == 0xD800, index + 5 < bytes.endIndex, bytes[index] == 0x5C,
      bytes[index + 1] == 0x75
    {
      let second = unit(in: bytes, at: index)
      if second & 0xFC00 == 0xDC00 {
        index += 6
        let value = 0x1_0000 + (first & 0x3FF) << 10 + (second & 0x3FF)
        return Unicode.Scalar(value) ?? "\u{FFFD}"
      }
    }
    return Unicode.Scalar(first) ?? "\u{FFFD}"
  }

  private static func unit(in bytes: ArraySlice<UInt8>, at index: Int) -> UInt32 {
    bytes[(index + 2)..<(index + 6)].reduce(0) { $0 << 4 | UInt32($1.hexadecimalDigit ?? 0) }
  }

  private static func append(_ scalar: Unicode.Scalar, to bytes: inout [UInt8]) {
    bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
  }
}
