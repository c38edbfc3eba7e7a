import Glibc

/// Programs found in the `PATH` of the benchmark.
enum Tool {
  static let environment = [
    "PATH": (getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin") + ":/usr/sbin",
    "HOME": "/nonexistent", "LANG": "C.UTF-8", "PYTHONDONTWRITEBYTECODE": "1",
  ]

  static func isInstalled(_ name: String) -> Bool {
    environment["PATH", default: ""].split(separator: ":").contains {
      access($0 + "/" + name, X_OK) == 0
    }
  }
}
