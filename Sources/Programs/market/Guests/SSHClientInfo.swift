import Glibc
import Posix

/// Connection data of a guest from sshd's variables.
nonisolated struct SSHClientInfo: Hashable {
  /// Fingerprint of the guest's key; nil for the account that takes no key.
  let key: KeyFingerprint?
  /// Network address of the guest, by which limits count.
  let address: String
  /// Server address that the guest connected to, without the port.
  let host: String
  /// Server port that the guest connected to.
  private let port: UInt16
  /// Requested command; nil for the full screen.
  let command: String?

  /// Reads `MARKET_KEY`, `SSH_CONNECTION` (ssh(1)) and `SSH_ORIGINAL_COMMAND`.
  /// - Throws: `.notFromDaemon` for a missing or invalid connection, or an invalid key.
  init(_ value: (String) -> String? = Environment.value(of:)) throws(GuestError) {
    let words = (value("SSH_CONNECTION") ?? "").split(separator: " ").map(String.init)
    guard words.count == 4, let address = Self.address(words[0]),
      let host = Self.address(words[2]), let port = UInt16(words[3])
    else { throw .notFromDaemon }
    self.address = address
    self.host = host
    self.port = port
    let text = value(Guest.keyVariable)
    key = text.flatMap(KeyFingerprint.init)
    // An invalid key must not be treated as none.
    if text != nil, key == nil { throw .notFromDaemon }
    command = value("SSH_ORIGINAL_COMMAND")
  }

  /// Words for ssh that lead back here, to the account that takes keys.
  var sshArguments: String { (port == 22 ? "" : "-p \(port) ") + "market@" + host }

  /// Numeric address without its zone; nil for anything else.
  private static func address(_ text: String) -> String? {
    let text = String(text.prefix { $0 != "%" })
    var bytes = in6_addr()
    guard inet_pton(AF_INET, text, &bytes) == 1 || inet_pton(AF_INET6, text, &bytes) == 1 else {
      return nil
    }
    return text
  }
}
