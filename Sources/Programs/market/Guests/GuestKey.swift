import CommandKit
import Glibc
import StoreCore
import TextCoding

/// Public key of a guest, as sshd passes it to `AuthorizedKeysCommand` (`%f %t %k` in sshd_config(5)).
nonisolated struct GuestKey: Hashable {
  static let command = "guest-key"
  static var words: ValueKind<String> {
    ValueKind("FINGERPRINT TYPE KEY", read: \.self, written: \.self)
  }

  /// Accepted key types; certificates would need a certificate authority.
  private static let types: Set = [
    "ssh-ed25519", "ssh-rsa", "ecdsa-sha2-nistp256", "ecdsa-sha2-nistp384", "ecdsa-sha2-nistp521",
    "sk-ssh-ed25519@openssh.com", "sk-ecdsa-sha2-nistp256@openssh.com",
  ]
  /// Maximum number of characters of a key; RSA with 16,384 bits has 2,800.
  private static let longest = 4_096
  /// Minimum bytes of an RSA modulus: 2,048 bits.
  private static let minModulusLength = 256

  let fingerprint: KeyFingerprint
  let type: String
  /// Key in Base64, as in authorized_keys.
  let text: String

  /// Creates a key if type, fingerprint and Base64 text agree and the key is strong; else nil.
  init?(fingerprint: String, type: String, text: String) {
    guard let fingerprint = KeyFingerprint(fingerprint), Self.types.contains(type),
      text.utf8.count <= Self.longest, let bytes = Base64.decode(text),
      String(decoding: Base64.encode(bytes), as: UTF8.self) == text,
      let parts = Self.parts(of: bytes), Array(parts.first ?? []) == Array(type.utf8),
      Self.isStrong(type, parts), KeyFingerprint(ofKey: bytes) == fingerprint
    else { return nil }
    self.fingerprint = fingerprint
    self.type = type
    self.text = text
  }

  /// Line that admits the key with a terminal only (authorized_keys in sshd(8)).
  var line: String {
    "restrict,pty,environment=\"\(Guest.keyVariable)=\(fingerprint.text)\" \(type) \(text)"
  }

  /// Prints the line for sshd, which admits any key that gets a line; errors exit with a status and
  /// print nothing.
  static func answer(_ words: [String]) -> Never {
    guard words.count == 3,
      let key = GuestKey(fingerprint: words[0], type: words[1], text: words[2])
    else { exit(ExitStatus.failure) }
    Console.say(key.line)
    exit(0)
  }

  /// Fields of a key, the type first (RFC 4253, section 6.6); nil if their lengths do not match the
  /// key.
  private static func parts(of bytes: [UInt8]) -> [ArraySlice<UInt8>]? {
    var parts: [ArraySlice<UInt8>] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      let length = rest.prefix(4)
      guard length.count == 4 else { return nil }
      let count = length.reduce(0) { $0 << 8 | Int($1) }
      rest = rest.dropFirst(4)
      guard rest.count >= count else { return nil }
      parts.append(rest.prefix(count))
      rest = rest.dropFirst(count)
    }
    return parts
  }

  /// Whether a key is long enough; in RSA keys exponent and modulus follow the type.
  private static func isStrong(_ type: String, _ parts: [ArraySlice<UInt8>]) -> Bool {
    guard type == "ssh-rsa" else { return true }
    return parts.count == 3 && parts[2].drop { $0 == 0 }.count >= minModulusLength
  }
}

/// SHA-256 fingerprint of a public key as OpenSSH writes it: `SHA256:` and 43 digits of Base64.
nonisolated struct KeyFingerprint: Hashable {
  private static let prefix = "SHA256:"

  let text: String

  init?(_ text: String) {
    let digits = text.dropFirst(Self.prefix.count)
    guard text.hasPrefix(Self.prefix), digits.utf8.count == 43,
      let bytes = Base64.decode(String(digits)), bytes.count == ContentHash.byteCount,
      Self(hash: bytes).text == text
    else { return nil }
    self.text = text
  }

  /// Creates the fingerprint of a key's bytes.
  init(ofKey bytes: [UInt8]) { self.init(hash: ContentHash.sha256(bytes)) }

  private init(hash: [UInt8]) {
    let digits = Base64.encode(hash).prefix { $0 != UInt8(ascii: "=") }
    text = Self.prefix + String(decoding: digits, as: UTF8.self)
  }
}
