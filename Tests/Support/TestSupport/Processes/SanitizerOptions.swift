import Glibc

/// What tells a sanitizer what to look for, for programs that get no other environment.
package enum SanitizerOptions {
  /// The variables that are set, by name.
  package static var environment: [String: String] {
    var variables: [String: String] = [:]
    for name in ["ASAN_OPTIONS", "TSAN_OPTIONS"] {
      variables[name] = getenv(name).map { String(cString: $0) }
    }
    return variables
  }
}
