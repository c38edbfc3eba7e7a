import HTTPTestSupport
import Synchronization
import TestSupport

/// One `market-server` of a database, which keeps its port while it comes and goes.
package final class ClusterServer: Sendable {
  private let store: String
  private let arguments: [String]
  private let process: Mutex<ChildProcess>
  private let port: ReservedPort

  private init(store: String, arguments: [String]) throws {
    let port = try ReservedPort()
    process = Mutex(try Self.start(store: store, port: port, arguments))
    self.port = port
    self.store = store
    self.arguments = arguments
  }

  /// Starts several at once.
  ///
  /// - Parameters:
  ///   - count: how many.
  ///   - store: the address of their database.
  ///   - arguments: what else each is told.
  /// - Returns: them, listening.
  /// - Throws: where one does not start.
  package static func start(
    _ count: Int, store: String,
    arguments: [String] = ["--trust-proxy", "--rate", "0"]
  ) throws -> [ClusterServer] {
    let servers = try (0..<count).map { _ in try ClusterServer(store: store, arguments: arguments) }
    for server in servers { try server.process.withLock { try waitUntilListening($0) } }
    return servers
  }

  package var address: String { port.address }

  /// Ends it at once, with nothing to do about it (SIGKILL).
  package func kill() { process.withLock { $0.kill() } }

  /// Asks it to end, and waits until it has.
  package func stop() throws { try process.withLock { _ = try $0.terminate() } }

  /// Starts it again where it was; returns when it listens.
  package func startAgain() throws {
    try process.withLock { process in
      process = try Self.start(store: store, port: port, arguments)
      try Self.waitUntilListening(process)
    }
  }

  private static func start(
    store: String, port: ReservedPort, _ arguments: [String]
  ) throws -> ChildProcess {
    try ChildProcess(
      "market-server",
      arguments: ["--store", store, "--listen", port.address, "--allow-host", "a.example"]
        + arguments)
  }

  /// Reads the line by which a server says that it listens.
  private static func waitUntilListening(_ process: ChildProcess) throws {
    guard try process.readLine() != nil else {
      throw UnexpectedError(description: "market-server does not start")
    }
  }
}
