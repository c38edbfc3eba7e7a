import Glibc

/// Variables of this process that are set for a moment only.
enum TemporaryEnvironment {
  /// Runs `body` with variables that no program started later will see.
  static func with<Result>(_ variables: [String: String], _ body: () -> Result) -> Result {
    let previous = variables.keys.map { name in (name, getenv(name).map { String(cString: $0) }) }
    for (name, value) in variables { setenv(name, value, 1) }
    defer {
      for (name, value) in previous {
        if let value { setenv(name, value, 1) } else { unsetenv(name) }
      }
    }
    return body()
  }
}
