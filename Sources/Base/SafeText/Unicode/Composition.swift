internal import CUtf8proc

extension String {
  /// Most marks in a row, as in the Stream-Safe Text Format of UAX #15: normalization sorts them
  /// in quadratic time.
  static let markLimit = 30

  /// The text in normalization form C, so that a syllable is one scalar wherever it came from.
  ///
  /// Of more than 30 marks on one character the rest is left out.
  package var precomposed: String {
    if unicodeScalars.allSatisfy({ $0.plainWidth != nil || $0 == "\n" }) { return self }
    var text = streamSafe
    return text.withUTF8 { Self.compose($0) } ?? text
  }

  /// The text in normalization form C, upper and lower case alike (UAX #44, case folding): as searches
  /// compared it before `folded`.
  package var caseFolded: String {
    var plain = self
    if let folded = plain.withUTF8({ Self.foldPlain($0, accent: 0x60) }) { return folded }
    var text = streamSafe
    return text.withUTF8 { Self.compose($0, UTF8PROC_CASEFOLD) } ?? text
  }

  var streamSafe: String {
    var kept = UnicodeScalarView()
    var marks = 0
    for scalar in unicodeScalars {
      marks = scalar.isReordered ? marks + 1 : 0
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
