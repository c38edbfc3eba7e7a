import Glibc

package enum Environment {
  /// Returns the value of an environment variable; nil where it is unset or empty.
  package static func value(of name: String) -> String? {
    guard let value = getenv(name), value.pointee != 0 else { return nil }
    return String(cString: value)
  }
}

/// Folders of a program's files (XDG Base Directory Specification).
package struct BaseFolders: Hashable, Sendable {
  /// In `$XDG_DATA_HOME`.
  package let data: String
  /// In `$XDG_CONFIG_HOME`.
  package let config: String
  /// In `$XDG_CACHE_HOME`.
  package let cache: String
  /// In `$XDG_STATE_HOME`.
  package let state: String
  package let home: String

  /// Returns the folders called `name`; a variable with a relative path counts as unset.
  ///
  /// `accountHome` supplies the home folder where `HOME` is unset.
  package init(
    of name: String, environment: (String) -> String? = Environment.value,
    accountHome: () -> String? = Self.accountHome
  ) {
    func path(_ variable: String) -> String? {
      environment(variable).flatMap { $0.hasPrefix("/") ? $0 : nil }
    }
    let home = path("HOME") ?? accountHome() ?? "/"
    func folder(_ variable: String, _ fallback: String) -> String {
      (path(variable) ?? home + "/" + fallback) + "/" + name
    }
    self.home = home
    data = folder("XDG_DATA_HOME", ".local/share")
    config = folder("XDG_CONFIG_HOME", ".config")
    cache = folder("XDG_CACHE_HOME", ".cache")
    state = folder("XDG_STATE_HOME", ".local/state")
  }

  /// Returns the home folder from passwd(5); nil where the user has no entry.
  package static func accountHome() -> String? {
    var entry = passwd()
    var found: UnsafeMutablePointer<passwd>?
    var texts = [CChar](repeating: 0, count: 16_384)
    guard getpwuid_r(getuid(), &entry, &texts, texts.count, &found) == 0, found != nil,
      let home = entry.pw_dir
    else { return nil }
    return String(cString: home)
  }
}
