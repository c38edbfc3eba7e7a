import Glibc
import MarketModel
import Posix
import StoreCore
import TextCoding

/// Guest over ssh: who it is, where from, and what is kept where.
nonisolated struct Guest: Hashable {
  /// The variable in which sshd hands over the fingerprint of the key, from the line of `guest-key`.
  static let keyVariable = "MARKET_KEY"

  /// Drafts that are kept for one guest.
  static let mostDrafts = 8
  /// Pages of 4 KB of what one guest keeps for later.
  static let mostPages = 512

  /// What sshd says of a guest.
  let caller: GuestCaller
  /// Under what the guest sells; nil for those who only look.
  var seller: SellerIdentifier?
  /// The folder of what is kept for the guest; nil where nothing is.
  var folder: String?
  /// How one comes here with a key.
  let way: String

  /// Whether the guest came without a key.
  var onlyLooks: Bool { seller == nil }

  /// The guest's tray of photos; nil where nothing is kept.
  var tray: PhotoTray? { folder.map { PhotoTray(folder: $0 + "/tray") } }
}

/// Caller over ssh, as sshd's variables tell.
nonisolated struct GuestCaller: Hashable {
  /// Nil for the account that takes no key.
  let key: KeyFingerprint?
  /// The network address, by which limits and tries are counted.
  let address: String
  /// The address and port at which the caller came in.
  let host: String
  /// The command that was asked for; nil is the full screen.
  let order: String?

  /// Reads `MARKET_KEY`, `SSH_CONNECTION` (ssh(1)) and `SSH_ORIGINAL_COMMAND`.
  init(_ value: (String) -> String? = Environment.value(of:)) throws(GuestTrouble) {
    let words = (value("SSH_CONNECTION") ?? "").split(separator: " ").map(String.init)
    guard words.count == 4, let address = Self.address(words[0]), let host = Self.address(words[2])
    else { throw .notFromDaemon }
    self.address = address
    self.host = host
    let text = value(Guest.keyVariable)
    key = text.flatMap(KeyFingerprint.init)
    // Who has a key that cannot be read is not let in as somebody without one.
    if text != nil, key == nil { throw .notFromDaemon }
    order = value("SSH_ORIGINAL_COMMAND")
  }

  /// A numeric address without its zone; nil for everything else.
  private static func address(_ text: String) -> String? {
    let text = String(text.prefix { $0 != "%" })
    var bytes = in6_addr()
    guard inet_pton(AF_INET, text, &bytes) == 1 || inet_pton(AF_INET6, text, &bytes) == 1 else {
      return nil
    }
    return text
  }
}

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
