internal import CUtf8proc
import Glibc

/// Normalization form of a secret (UAX #15), computed in memory that is wiped.
package enum NormalizationForm: Sendable {
  case composed
  case decomposed

  /// Maximum bytes of the text; longer ones are not normalized, as sorting marks takes quadratic
  /// time.
  private static let longest = 4_096

  /// Calls `body` with well-formed UTF-8 in this form; nil for a text longer than 4,096 bytes.
  package func withBytes<Result>(
    of text: UnsafeBufferPointer<UInt8>, _ body: (UnsafeBufferPointer<UInt8>) -> Result
  ) -> Result? {
    guard text.count <= Self.longest else { return nil }
    let form = self == .composed ? UTF8PROC_COMPOSE : UTF8PROC_DECOMPOSE
    let options = utf8proc_option_t(rawValue: UTF8PROC_STABLE.rawValue | form.rawValue)
    let count = utf8proc_decompose(text.baseAddress, text.count, nil, 0, options)
    guard count >= 0 else { return nil }
    // The buffer holds scalars first, then their UTF-8 with a final zero.
    return withUnsafeTemporaryAllocation(of: Int32.self, capacity: count + 1) { buffer in
      guard let scalars = buffer.baseAddress else { return nil }
      defer { explicit_bzero(scalars, buffer.count * MemoryLayout<Int32>.stride) }
      utf8proc_decompose(text.baseAddress, text.count, scalars, count, options)
      let length = utf8proc_reencode(scalars, count, options)
      guard length >= 0 else { return nil }
      let bytes = UnsafeRawBufferPointer(start: scalars, count: length)
      return bytes.withMemoryRebound(to: UInt8.self, body)
    }
  }
}

extension String {
  /// Maximum marks in a row, as in the Stream-Safe Text Format of UAX #15; further ones are dropped,
  /// as normalization sorts them in quadratic time.
  static let markLimit = 30

  /// Text in normalization form C, so that a syllable is one scalar; marks beyond 30 on one character
  /// are dropped.
  package var precomposed: String {
    if unicodeScalars.allSatisfy({ $0.plainWidth != nil || $0 == "\n" }) { return self }
    var text = streamSafe
    return text.withUTF8 { Self.compose($0) } ?? text
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

  /// Composes well-formed UTF-8; nil where memory is exhausted.
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
