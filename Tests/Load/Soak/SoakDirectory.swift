import TerminalTestSupport
import TestSupport

/// The folder in which a run happens, and the programs beside this one.
final class SoakDirectory {
  private let folder: TemporaryFolder
  let store: String

  /// Makes a market to serve.
  init(products: Int) throws {
    folder = try TemporaryFolder()
    store = folder.path(of: "served.market")
    let run = try PipedRun(
      [Self.market, "generate", String(products), "--store", store], environment: [:])
    guard run.exit == .exited(status: 0) else { throw UnexpectedError(description: run.errors) }
  }

  /// A terminal of some kind with the market at this address.
  func open(_ address: String, on kind: SoakTerminal) throws -> TerminalSession {
    try TerminalSession(
      [Self.market, "--server", address, "--language", "en"] + kind.options,
      environment: [
        "PATH": "/nonexistent", "HOME": folder.path, "LANG": "C.UTF-8", "TERM": kind.name,
        "COLORTERM": "truecolor", "SWIFT_BACKTRACE": "enable=no",
      ], persona: kind.persona, holding: self)
  }

  private static let market: String = {
    let own = CommandLine.arguments[0]
    return own[..<(own.lastIndex(of: "/") ?? own.startIndex)] + "/market"
  }()
}

/// What a round runs on.
enum SoakTerminal: CaseIterable {
  case blocks, sixel, kitty, text

  /// The variable `TERM`.
  var name: String { self == .kitty ? "xterm-kitty" : "xterm-256color" }

  var persona: TerminalPersona {
    switch self {
    case .blocks, .text: .dark
    case .sixel: .sixel
    case .kitty: .kitty
    }
  }

  var options: [String] {
    switch self {
    case .text: ["--pictures", "none", "--view", "list"]
    case .blocks, .sixel, .kitty: ["--pictures", "auto"]
    }
  }
}
