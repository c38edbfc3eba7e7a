import Glibc
import Posix

/// Caller over ssh, as sshd's variables tell.
nonisolated struct SSHClientInfo: Hashable {
  /// Nil for the account that takes no key.
  let key: KeyFingerprint?
  /// The network address, by which limits and tries are counted.
  let address: String
  /// The address and port at which the caller came in.
  let host: String
  /// The command that was asked for; nil is the full screen.
  let order: String?

  /// Reads `MARKET_KEY`, `SSH_CONNECTION` (ssh(1)) and `SSH_ORIGINAL_COMMAND`.
  init(_ value: (String) -> String? = Environment.value(of:)) throws(GuestError) {
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
