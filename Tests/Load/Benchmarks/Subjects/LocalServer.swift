import Glibc
import TerminalTestSupport

/// A server that runs for a trial on the loopback address, and ends with the value.
final class LocalServer {
  private static let timeout = Duration.seconds(10)

  let name: String
  let port: UInt16
  private let terminal: PseudoTerminal

  var address: String { "http://127.0.0.1:\(port)" }

  var residentMegabytes: Double? {
    ProcessInformation(of: terminal.process).residentKilobytes.map { Double($0) / 1_024 }
  }

  /// Starts a program and waits until it listens.
  ///
  /// - Parameters:
  ///   - name: its column in the table.
  ///   - port: where it will listen.
  ///   - command: the program and its arguments, which tell it so.
  /// - Throws: `BenchError.noAnswer` if it ends or does not listen in time.
  init(_ name: String, port: UInt16, _ command: [String]) throws {
    self.name = name
    self.port = port
    // No code reads this terminal, and a full one would stop the server: its output goes to /dev/null.
    terminal = try PseudoTerminal(
      ["sh", "-c", "exec \"$@\" >/dev/null 2>&1", "sh"] + command, environment: Tool.environment,
      size: TerminalSize(columns: 80, rows: 24))
    let deadline = ContinuousClock.now + Self.timeout
    while (try? LocalConnection(port: port)) == nil {
      guard ContinuousClock.now < deadline,
        case .silence = terminal.read(until: .now + .milliseconds(20))
      else { throw BenchError.noAnswer("the start of \(name)") }
    }
  }

  deinit {
    terminal.signal(SIGTERM)
    _ = try? terminal.waitForEnd()
  }
}
