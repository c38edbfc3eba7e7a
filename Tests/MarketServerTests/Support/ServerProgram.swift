import MarketServer
import TestSupport
import Testing

/// The server program itself, listening on a port that was free.
struct ServerProgram: Sendable {
  private let process: ChildProcess
  let client: RawClient

  init(store: String, arguments: [String] = []) throws {
    process = try ChildProcess(
      "market-server", arguments: ["--store", store, "--listen", "127.0.0.1:0"] + arguments)
    let line = try #require(process.readLine())
    client = RawClient(port: try #require(HostAndPort(String(line.dropFirst(20)))).port)
  }

  func signal(_ number: Int32) { process.signal(number) }

  func kill() { process.kill() }

  func terminate() -> Int32? { process.terminate() }
}
