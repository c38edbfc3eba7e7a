import TerminalTestSupport
import TestSupport

/// The folder in which a run happens, and the programs beside this one.
final class SoakWorkplace {
  private let folder: TemporaryFolder
  let store: String

  /// Makes a market to serve.
  init(products: Int) throws {
    folder = try TemporaryFolder()
    store = folder.path(of: "served.market")
    let run = try PipedRun(
      [Self.market, "generate", String(products), "--store", store], environment: [:])
    guard run.exit == .exited(status: 0) else { throw BrokenPromise(description: run.errors) }
  }

  /// A terminal with the market at this address.
  func open(_ address: String) throws -> TerminalSession {
    try TerminalSession(
      [Self.market, "--server", address, "--language", "en"],
      environment: [
        "PATH": "/nonexistent", "HOME": folder.path, "LANG": "C.UTF-8", "TERM": "xterm-256color",
        "COLORTERM": "truecolor", "SWIFT_BACKTRACE": "enable=no",
      ], holding: self)
  }

  private static let market: String = {
    let own = CommandLine.arguments[0]
    return own[..<(own.lastIndex(of: "/") ?? own.startIndex)] + "/market"
  }()
}
