import Glibc

/// Where the program keeps its files (XDG Base Directory Specification).
nonisolated struct Locations {
  /// `$XDG_DATA_HOME/market`: the default store.
  let data: String
  /// `$XDG_CONFIG_HOME/market`: settings and identities.
  let config: String
  /// `$XDG_CACHE_HOME/market`: what was seen of servers.
  let cache: String
  /// `$XDG_STATE_HOME/market`: drafts.
  let state: String
  let home: String

  /// - Parameter environment: looks a variable up; an empty or relative path counts as not set.
  init(environment: (String) -> String? = Self.environment) {
    let home = environment("HOME") ?? "/"
    func folder(_ variable: String, _ fallback: String) -> String {
      let path = environment(variable).flatMap { $0.hasPrefix("/") ? $0 : nil }
      return (path ?? home + "/" + fallback) + "/market"
    }
    self.home = home
    data = folder("XDG_DATA_HOME", ".local/share")
    config = folder("XDG_CONFIG_HOME", ".config")
    cache = folder("XDG_CACHE_HOME", ".cache")
    state = folder("XDG_STATE_HOME", ".local/state")
  }

  var defaultStore: String { data + "/market.sqlite" }
  var settings: String { config + "/settings.json" }
  var seen: String { cache + "/seen.sqlite" }

  /// Makes a folder and those above it, readable for its owner alone.
  ///
  /// - Returns: nil, or what the system says is in the way.
  static func makeFolder(_ path: String) -> String? {
    var made = ""
    for part in path.split(separator: "/") {
      made += "/" + part
      if mkdir(made, 0o700) != 0, errno != EEXIST { return String(cString: strerror(errno)) }
    }
    return nil
  }

  static func environment(_ name: String) -> String? {
    guard let value = getenv(name), value.pointee != 0 else { return nil }
    return String(cString: value)
  }
}
