import Glibc

/// Variables that the program was started with.
package enum Environment {
  /// The value of a variable; nil where it is not set or empty.
  package static func value(of name: String) -> String? {
    guard let value = getenv(name), value.pointee != 0 else { return nil }
    return String(cString: value)
  }
}

/// Folders in which a program keeps its files (XDG Base Directory Specification).
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

  /// The folders called `name`; a variable that holds a relative path counts as not set.
  ///
  /// `accountHome` is the home of the user's account, where `HOME` says none.
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

  /// The home in the user's entry of passwd(5); nil where there is no entry.
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
