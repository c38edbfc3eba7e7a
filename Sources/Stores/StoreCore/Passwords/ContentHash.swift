internal import CSodium
import MarketModel
import TextCoding

/// Hashes of contents, and of secrets with enough entropy (BLAKE2b, RFC 7693).
package enum ContentHash {
  package static let byteCount = 32

  package static func of(_ bytes: [UInt8]) -> [UInt8] {
    Sodium.prepare()
    var hash = [UInt8](repeating: 0, count: byteCount)
    crypto_generichash(&hash, byteCount, bytes, UInt64(bytes.count), nil, 0)
    return hash
  }

  package static func of(_ text: String) -> [UInt8] { of(Array(text.utf8)) }

  /// Keyed BLAKE2b hash; the key has 16 to 64 bytes, others trap.
  package static func of(_ text: String, key: [UInt8]) -> [UInt8] {
    precondition((16...64).contains(key.count), "a key has 16 to 64 bytes")
    Sodium.prepare()
    let bytes = Array(text.utf8)
    var hash = [UInt8](repeating: 0, count: byteCount)
    crypto_generichash(&hash, byteCount, bytes, UInt64(bytes.count), key, key.count)
    return hash
  }

  /// SHA-256 (FIPS 180-4), the hash of OpenSSH's key fingerprints.
  package static func sha256(_ bytes: [UInt8]) -> [UInt8] {
    Sodium.prepare()
    var hash = [UInt8](repeating: 0, count: byteCount)
    crypto_hash_sha256(&hash, bytes, UInt64(bytes.count))
    return hash
  }

  /// HMAC-SHA-256 (RFC 2104) with a key of any length.
  static func sha256(_ bytes: [UInt8], key: [UInt8]) -> [UInt8] {
    Sodium.prepare()
    var state = crypto_auth_hmacsha256_state()
    var code = [UInt8](repeating: 0, count: byteCount)
    crypto_auth_hmacsha256_init(&state, key, key.count)
    crypto_auth_hmacsha256_update(&state, bytes, UInt64(bytes.count))
    crypto_auth_hmacsha256_final(&state, &code)
    return code
  }
}

/// libsodium, which must be initialized before any other call.
///
/// `sodium_init` chooses the fastest implementation for the processor, which nearly halves the cost of a
/// password, and opens the random source before two threads can do so at once.
enum Sodium {
  /// Initializes libsodium once; traps where the system has no random source.
  static func prepare() {
    precondition(isReady, "the system has no random bytes")
  }

  private static let isReady = sodium_init() >= 0
}

/// Signer of messages that the servers of a market pass through clients (HMAC-SHA512-256).
package actor ServerSignature {
  private var key: [UInt8] = []

  package init() {
    Sodium.prepare()
  }

  package static func newKey() -> [UInt8] {
    Sodium.prepare()
    var key = [UInt8](repeating: 0, count: crypto_auth_keybytes())
    randombytes_buf(&key, key.count)
    return key
  }

  /// The authentication code of a message; `read` supplies the key on the first call.
  /// - Throws: what `read` throws; `.store(.damaged)` where the key has the wrong length.
  package func code(
    for message: [UInt8], key read: @Sendable () async throws(RepositoryError) -> [UInt8]
  ) async throws(RepositoryError) -> [UInt8] {
    if key.isEmpty { key = try await read() }
    guard key.count == crypto_auth_keybytes() else { throw .store(.damaged) }
    var code = [UInt8](repeating: 0, count: crypto_auth_bytes())
    crypto_auth(&code, message, UInt64(message.count), key)
    return code
  }
}

/// Pictures of a store are named by the hash of their content in lowercase hexadecimal; thumbnails by the
/// same name with the suffix `-small`.
extension Picture {
  private static let thumbnailEnding = "-small"

  package init(number: Int64, hash: [UInt8]) {
    let name = Hexadecimal.text(of: hash)
    self.init(number: number, original: name, thumbnail: name + Self.thumbnailEnding)
  }

  /// Nil where `hash` has the wrong length.
  init?(number: Int64, storedHash hash: [UInt8]) {
    guard hash.count == ContentHash.byteCount else { return nil }
    self.init(number: number, hash: hash)
  }

  /// The hash in a locator; nil where it is not the locator of a stored picture.
  package static func hash(in locator: String, of rendition: PictureRendition) -> [UInt8]? {
    var name = locator[...]
    if rendition == .thumbnail, name.hasSuffix(Self.thumbnailEnding) {
      name = name.dropLast(Self.thumbnailEnding.count)
    }
    guard let hash = Hexadecimal.bytes(of: String(name)), hash.count == ContentHash.byteCount,
      // Uppercase digits would give one picture two names.
      Hexadecimal.text(of: hash) == name
    else { return nil }
    return hash
  }
}

extension FixedWidthInteger {
  var bigEndianBytes: [UInt8] { withUnsafeBytes(of: bigEndian) { Array($0) } }
}
