import Glibc
import Posix

/// Variables that a guest's run sees: those of its terminal and language, and what sshd says.
nonisolated enum GuestEnvironment {
  /// What the client may send, of words alone: none of them may be a path.
  private static let words = ["TERM", "COLORTERM", "LANG", "LC_ALL", "LC_CTYPE", "LC_MESSAGES"]
  /// What sshd sets.
  private static let facts = [Guest.keyVariable, "SSH_CONNECTION", "SSH_ORIGINAL_COMMAND"]
  private static let maxWordLength = 64

  /// The variables that are left of those that were set.
  static func reduced(_ value: (String) -> String?) -> [(name: String, value: String)] {
    words.compactMap { name in value(name).flatMap { isWord($0) ? (name, $0) : nil } }
      + facts.compactMap { name in value(name).map { (name, $0) } }
  }

  /// Takes all others away, before anything looks at one.
  static func reduce() {
    let left = reduced(Environment.value(of:))
    clearenv()
    for (name, value) in left { setenv(name, value, 1) }
  }

  /// Has all that the program keeps stand in a folder, whichever part of it asks where; nil is nowhere.
  static func keep(in folder: String?) {
    // Below a device nothing can be made, whoever tries.
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
