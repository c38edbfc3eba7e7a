import TestSupport
import Testing

/// A server program with a market of trial products, which can go away and come back.
final class TrialServer {
  private let folder: TemporaryFolder
  private var process: ChildProcess
  /// Where it listens, also after it came back.
  let address: String

  init(_ market: TrialMarket) async throws {
    folder = try TemporaryFolder()
    let store = folder.path(of: "served.market")
    try await market.write(to: store)
    (process, address) = try Self.start(store: store, listening: "127.0.0.1:0")
  }

  /// Ends without a word, as in a power cut.
  func goAway() { process.kill() }

  /// Listens at the same address again.
  func comeBack() throws {
    let listening = String(address.dropFirst("http://".count))
    (process, _) = try Self.start(store: folder.path(of: "served.market"), listening: listening)
  }

  deinit { process.kill() }

  private static func start(
    store: String, listening: String
  ) throws -> (process: ChildProcess, address: String) {
    let process = try ChildProcess(
      "market-server", arguments: ["--store", store, "--listen", listening])
    let line = try #require(process.readLine())
    return (process, String(line.dropFirst("listening on ".count)))
  }
}
