internal import CSodium
import MarketModel

/// Makes the codes by which the servers of a market know what they have written (HMAC-SHA512-256).
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

  /// The code of a message; the key is read once.
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
