import HTTPTestSupport
import TestSupport
import Testing

/// A server program with a market of trial products, which can go away and come back.
final class TrialServer {
  /// Holds the store of a server that has one of its own.
  private let folder: TemporaryFolder?
  private let store: String
  private let options: [String]
  private var process: ChildProcess
  /// Port of the server; reserved while the server is away.
  private let port: ReservedPort

  init(_ market: GeneratedMarket, options: [String] = []) async throws {
    self.options = options
    let folder = try TemporaryFolder()
    port = try ReservedPort()
    store = folder.path(of: "served.market")
    self.folder = consume folder
    try await market.write(to: store)
    process = try Self.start(store: store, at: port, options)
  }

  /// One of the servers of a store that outlives it.
  ///
  /// - Parameter store: path of a file or address of a database.
  /// - Throws: where it does not start.
  init(of store: String) throws {
    folder = nil
    options = []
    self.store = store
    port = try ReservedPort()
    process = try Self.start(store: store, at: port)
  }

  /// Where it listens, also after it came back.
  var address: String { "http://" + port.address }

  /// The port in its address.
  var portNumber: UInt16 { port.number }

  /// Ends without a word, as in a power cut.
  func goAway() { process.kill() }

  /// Listens at the same address again.
  func restore() throws {
    process = try Self.start(store: store, at: port, options)
  }

  /// The next line that it writes, which is one of its access log where it has one.
  func readLine() throws -> String? { try process.readLine() }

  deinit { process.kill() }

  /// - Returns: the program, which listens.
  private static func start(
    store: String, at port: ReservedPort, _ options: [String] = []
  ) throws -> ChildProcess {
    let process = try ChildProcess(
      "market-server",
      arguments: ["--store", store, "--listen", port.address, "--allow-host", "a.example"] + options
    )
    _ = try #require(try process.readLine())
    return process
  }
}
