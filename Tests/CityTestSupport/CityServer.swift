import MarketServer
import Synchronization
import TestSupport

/// One `market-server` of a database, which keeps its port while it comes and goes.
package final class CityServer: Sendable {
  private let store: String
  private let arguments: [String]
  private let process: Mutex<ChildProcess>
  package let port: UInt16

  private init(_ process: ChildProcess, store: String, arguments: [String]) throws {
    port = try Self.port(of: process)
    self.process = Mutex(process)
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
    _ count: Int, store: String, arguments: [String] = ["--trust-proxy"]
  ) throws -> [CityServer] {
    let processes = try (0..<count).map { _ in
      try start(store: store, port: 0, arguments)
    }
    return try processes.map { try CityServer($0, store: store, arguments: arguments) }
  }

  package var address: String { "127.0.0.1:\(port)" }

  /// Ends it at once, with nothing to do about it (SIGKILL).
  package func kill() { process.withLock { $0.kill() } }

  /// Asks it to end, and waits until it has.
  package func stop() { process.withLock { _ = $0.terminate() } }

  /// Starts it again where it was; returns when it listens.
  package func startAgain() throws {
    try process.withLock { process in
      process = try Self.start(store: store, port: port, arguments)
      _ = try Self.port(of: process)
    }
  }

  private static func start(
    store: String, port: UInt16, _ arguments: [String]
  ) throws -> ChildProcess {
    try ChildProcess(
      "market-server",
      arguments: ["--store", store, "--listen", "127.0.0.1:\(port)"] + arguments)
  }

  /// Reads the line by which a server says that it listens.
  private static func port(of process: ChildProcess) throws -> UInt16 {
    guard let line = process.readLine(),
      let address = HostAndPort(String(line.dropFirst("listening on http://".count)))
    else { throw BrokenPromise(description: "market-server does not start") }
    return address.port
  }
}
