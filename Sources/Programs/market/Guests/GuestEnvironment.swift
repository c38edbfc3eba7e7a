import Glibc
import Posix

/// Environment of a guest's process: variables of terminal, language and sshd.
nonisolated enum GuestEnvironment {
  /// Variables that the client may send; their values are words and never paths.
  private static let words = ["TERM", "COLORTERM", "LANG", "LC_ALL", "LC_CTYPE", "LC_MESSAGES"]
  /// Variables that sshd sets.
  private static let facts = [Guest.keyVariable, "SSH_CONNECTION", "SSH_ORIGINAL_COMMAND"]
  /// Maximum bytes of a word; a variable with a longer one is removed.
  private static let maxWordLength = 64

  /// Allowed variables and their values.
  static func reduced(_ value: (String) -> String?) -> [(name: String, value: String)] {
    words.compactMap { name in value(name).flatMap { isWord($0) ? (name, $0) : nil } }
      + facts.compactMap { name in value(name).map { (name, $0) } }
  }

  /// Removes all other variables, before any of them is read.
  static func reduce() {
    let left = reduced(Environment.value(of:))
    clearenv()
    for (name, value) in left { setenv(name, value, 1) }
  }

  /// Sets all base folders of the program to a guest's folder; nil makes saving impossible.
  static func keep(in folder: String?) {
    // No file can be created below a device.
    let folder = folder ?? "/dev/null"
    for name in ["HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME"] {
      setenv(name, folder, 1)
    }
  }

  private static func isWord(_ text: String) -> Bool {
    text.utf8.count <= maxWordLength
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"):
          true
        default: "-_.+@".utf8.contains(byte)
        }
      } && !text.hasPrefix(".") && !text.contains("..")
  }
}
