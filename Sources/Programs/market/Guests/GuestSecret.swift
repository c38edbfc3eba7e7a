import MarketModel
import StoreCore
import TextCoding

/// The secret of a market's host, by which a key becomes a seller that nobody else can name.
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

  /// The identifier of the seller with a key: a UUID of our own making (RFC 9562, version 8).
  func seller(of key: KeyFingerprint) -> SellerIdentifier {
    var bytes = Array(hash("seller", key.text).prefix(16))
    bytes[6] = bytes[6] & 0x0F | 0x80
    bytes[8] = bytes[8] & 0x3F | 0x80
    let groups = [0..<4, 4..<6, 6..<8, 8..<10, 10..<16]
    return SellerIdentifier(
      secret: groups.map { Hexadecimal.text(of: bytes[$0]) }.joined(separator: "-"))
  }

  /// The name under which something of a guest is kept; tells neither the key nor the identifier.
  func name(_ purpose: String, of guest: String) -> String {
    Hexadecimal.text(of: hash(purpose, guest).prefix(16))
  }

  /// Purposes hold no line feed, so no two of them share a message.
  private func hash(_ purpose: String, _ guest: String) -> [UInt8] {
    ContentHash.of("openmarket guest\n" + purpose + "\n" + guest, key: bytes)
  }
}
