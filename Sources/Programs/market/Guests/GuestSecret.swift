import MarketModel
import StoreCore
import TextCoding

/// Secret of a host, from which the identifiers of sellers are derived from their keys.
nonisolated struct GuestSecret {
  static let byteCount = 32

  private let bytes: [UInt8]

  init?(_ bytes: [UInt8]) {
    guard bytes.count == Self.byteCount else { return nil }
    self.bytes = bytes
  }

  static func random() -> [UInt8] {
    var source = SystemRandomNumberGenerator()
    return (0..<byteCount).map { _ in UInt8.random(in: .min ... .max, using: &source) }
  }

  /// Identifier of the seller with a key: a UUID derived from the secret (RFC 9562, version 8).
  func seller(of key: KeyFingerprint) -> SellerIdentifier {
    var bytes = Array(hash("seller", key.text).prefix(16))
    bytes[6] = bytes[6] & 0x0F | 0x80
    bytes[8] = bytes[8] & 0x3F | 0x80
    let groups = [0..<4, 4..<6, 6..<8, 8..<10, 10..<16]
    return SellerIdentifier(
      secret: groups.map { Hexadecimal.text(of: bytes[$0]) }.joined(separator: "-"))
  }

  /// File name for a guest; reveals neither the key nor the identifier.
  func name(_ purpose: String, of guest: String) -> String {
    Hexadecimal.text(of: hash(purpose, guest).prefix(16))
  }

  /// Purposes contain no line feed, so different pairs have different messages.
  private func hash(_ purpose: String, _ guest: String) -> [UInt8] {
    ContentHash.of("openmarket guest\n" + purpose + "\n" + guest, key: bytes)
  }
}
