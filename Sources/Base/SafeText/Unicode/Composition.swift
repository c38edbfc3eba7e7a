internal import CUtf8proc

extension String {
  /// Most marks in a row, as in the Stream-Safe Text Format of UAX #15: normalization sorts them
  /// in quadratic time.
  private static let markLimit = 30

  /// The text in normalization form C, so that a syllable is one scalar wherever it came from.
  ///
  /// Of more than 30 marks on one character the rest is left out.
  package var precomposed: String {
    if unicodeScalars.allSatisfy({ $0.plainWidth != nil || $0 == "\n" }) { return self }
    var text = streamSafe
    return text.withUTF8 { Self.compose($0) } ?? text
  }

  /// The text as searches and comparisons see it: in normalization form C, upper and lower case
  /// alike (UAX #44, case folding).
  package var folded: String {
    var plain = self
    if let folded = plain.withUTF8({ Self.foldPlain($0) }) { return folded }
    var text = streamSafe
    return text.withUTF8 { Self.compose($0, UTF8PROC_CASEFOLD) } ?? text
  }

  /// Folds a text of ASCII, syllables of Hangul and ideographs, which are composed and have no case but
  /// in ASCII; nil for any other.
  private static func foldPlain(_ bytes: UnsafeBufferPointer<UInt8>) -> String? {
    var offset = 0
    while offset < bytes.count {
      if bytes[offset] < 0x80 {
        offset += 1
      } else {
        // U+4E00 to U+9FFF and U+AC00 to U+D77F, each of three bytes.
        let value = UInt16(bytes[offset]) << 8 | UInt16(bytes[offset + 1])
        guard (0xE4B8...0xE9BF).contains(value) || (0xEAB0...0xED9D).contains(value) else {
          return nil
        }
        offset += 3
      }
    }
    return String(unsafeUninitializedCapacity: bytes.count) { folded in
      for (offset, byte) in bytes.enumerated() {
        folded[offset] = (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
      }
      return bytes.count
    }
  }

  private var streamSafe: String {
    var kept = UnicodeScalarView()
    var marks = 0
    for scalar in unicodeScalars {
      let isMark = utf8proc_get_property(scalar.codePoint).pointee.combining_class != 0
      marks = isMark ? marks + 1 : 0
      if marks <= Self.markLimit { kept.append(scalar) }
    }
    return String(kept)
  }

  /// Composes well-formed UTF-8; nil when there is no memory for the result.
  private static func compose(
    _ bytes: UnsafeBufferPointer<UInt8>, _ extra: utf8proc_option_t = UTF8PROC_STABLE
  ) -> String? {
    let options = UTF8PROC_STABLE.rawValue | UTF8PROC_COMPOSE.rawValue | extra.rawValue
    var composed: UnsafeMutablePointer<UInt8>?
    let count = utf8proc_map(
      bytes.baseAddress, bytes.count, &composed, utf8proc_option_t(rawValue: options))
    guard let composed, count >= 0 else { return nil }
    defer { free(composed) }
    return String(decoding: UnsafeBufferPointer(start: composed, count: count), as: UTF8.self)
  }
}
