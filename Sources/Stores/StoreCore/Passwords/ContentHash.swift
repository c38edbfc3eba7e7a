internal import CSodium

/// Hashes of contents and of secrets that have enough chance in them (BLAKE2b, RFC 7693).
package enum ContentHash {
  package static let byteCount = 32

  package static func of(_ bytes: [UInt8]) -> [UInt8] {
    Sodium.prepare()
    var hash = [UInt8](repeating: 0, count: byteCount)
    crypto_generichash(&hash, byteCount, bytes, UInt64(bytes.count), nil, 0)
    return hash
  }

  package static func of(_ text: String) -> [UInt8] { of(Array(text.utf8)) }
}

/// libsodium, which wants to be made ready before anything else of it is called.
///
/// It then chooses the fastest code that the processor has, by which a password costs little more
/// than half, and opens the source of random bytes before two threads can do so at once.
enum Sodium {
  /// Returns at once where it is ready.
  static func prepare() {
    precondition(isReady, "the system has no random bytes")
  }

  private static let isReady = sodium_init() >= 0
}
