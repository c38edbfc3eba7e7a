import Glibc
import TerminalTestSupport
import TestSupport

/// A shell in a terminal with a home of its own, for the commands of documents.
///
/// It answers as a reader would: quits what fills the screen, types the sample's password, and
/// interrupts a server that listens.
final class DocumentedShell {
  /// How a script ended and what was on the screen then.
  struct Run {
    let exit: ProcessExit
    let screen: [String]
  }

  private static let password = "openmarket"
  /// More questions than any command asks.
  private static let maxAnswers = 20

  private let home: TemporaryFolder
  private let variables: [String: String]

  private static let products = """
    [{ "name": "Blue bike", "price": 90000, "description": "Ridden to work.", \
    "pictures": ["bike.jpg"] }]
    """

  /// Makes the home, with a picture, a file of products, a table and one with their password in it, and the
  /// repository's `Tests` beside that.
  ///
  /// - Parameter variables: what the environment holds beside the usual.
  /// - Throws: where there is no folder to test in.
  init(variables: [String: String] = [:]) throws {
    home = try TemporaryFolder()
    self.variables = variables
    guard let root = getcwd(nil, 0) else { throw UnexpectedError(description: "no folder") }
    defer { free(root) }
    // Documents name pictures relative to the repository.
    symlink(String(cString: root) + "/Tests", path(of: "Tests"))
    try FileContent(of: "Tests/Fixtures/Pictures/baseline.jpg").write(to: path(of: "bike.jpg"))
    try FileContent(bytes: Array(Self.products.utf8)).write(to: path(of: "bikes.json"))
    try FileContent(bytes: Array("Name,Model,Price\nLamp,Tall lamp,30\n".utf8)).write(
      to: path(of: "list.csv"))
    try FileContent(bytes: Array((Self.password + "\n").utf8)).write(to: path(of: "password.txt"))
  }

  func path(of name: String) -> String { home.path(of: name) }

  /// What a script prints without a terminal, whether it fails or not.
  func print(_ script: String) throws -> String {
    try PipedRun(["bash", "-c", script], environment: environment()).output
  }

  /// Runs a script to its end in the home folder; the first command that fails ends it.
  ///
  /// - Throws: where it does not end.
  func run(_ script: String) throws -> Run {
    let session = try TerminalSession(
      ["bash", "-euc", "cd \"$HOME\"\n" + script], environment: environment(),
      size: TerminalSize(columns: 120, rows: 50))
    return Run(exit: try end(session, script), screen: session.screen.lines)
  }

  private func environment() throws -> [String: String] {
    let programs = try ChildProcess.path(of: "market").dropLast("/market".count)
    var environment = [
      "HOME": home.path, "PATH": "\(programs):/usr/local/bin:/usr/bin:/bin", "LANG": "C.UTF-8",
      "TERM": "xterm-256color", "COLORTERM": "truecolor", "SWIFT_BACKTRACE": "enable=no",
    ]
    environment.merge(SanitizerOptions.environment) { $1 }
    environment.merge(variables) { $1 }
    return environment
  }

  private func end(_ session: TerminalSession, _ script: String) throws -> ProcessExit {
    var answered = (questions: 0, servers: 0)
    for _ in 0..<Self.maxAnswers {
      do {
        // An import says nothing while it works on pictures.
        try session.wait(for: "the end of: \(script)") { screen in
          screen.modes.isInAlternateScreen && screen.contains("OpenMarket")
            || screen.count(of: "Password") > answered.questions
            || screen.count(of: "listening on") > answered.servers
        }
      } catch .ended(_, let exit, _) {
        return exit
      }
      if session.screen.modes.isInAlternateScreen {
        session.type("q")
        return try session.waitForExit()
      }
      if session.screen.count(of: "Password") > answered.questions {
        answered.questions += 1
        session.type(KeyScript(Self.password + "<Enter>"))
      } else {
        answered.servers += 1
        session.type("<C-c>")
      }
    }
    throw UnexpectedError(description: "asks without end: \(script)")
  }
}

extension EmulatorScreen {
  /// In how many rows a text stands.
  fileprivate func count(of text: String) -> Int { lines.count { $0.contains(text) } }
}
