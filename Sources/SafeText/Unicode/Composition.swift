internal import CUtf8proc

extension String {
  /// The text in normalization form C, so that a syllable is one scalar wherever it came from.
  package var precomposed: String {
    if unicodeScalars.allSatisfy({ $0.plainWidth != nil || $0 == "\n" }) { return self }
    var text = self
    return text.withUTF8(Self.compose) ?? self
  }

  /// - Parameter bytes: well-formed UTF-8.
  /// - Returns: nil when there is no memory for the result.
  private static func compose(_ bytes: UnsafeBufferPointer<UInt8>) -> String? {
    let options = UTF8PROC_STABLE.rawValue | UTF8PROC_COMPOSE.rawValue
    var composed: UnsafeMutablePointer<UInt8>?
    let count = utf8proc_map(
      bytes.baseAddress, bytes.count, &composed, utf8proc_option_t(rawValue: options))
    guard let composed, count >= 0 else { return nil }
    defer { free(composed) }
    return String(decoding: UnsafeBufferPointer(start: composed, count: count), as: UTF8.self)
  }
}
