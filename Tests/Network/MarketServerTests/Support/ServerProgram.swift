import MarketServer
import TestSupport
import Testing

/// The server program itself, listening on a port that was free.
struct ServerProgram: Sendable {
  private let process: ChildProcess
  let client: RawClient

  init(store: String, arguments: [String] = []) throws {
    process = try ChildProcess(
      "market-server",
      arguments: [
        "--store", store, "--listen", "127.0.0.1:0", "--allow-host", "market.example",
        "--allow-host", "a", "--allow-host", "a.example",
      ] + arguments)
    let line = try #require(try process.readLine())
    client = RawClient(port: try #require(HostAndPort(String(line.dropFirst(20)))).port)
  }

  /// The same with so many descriptors and no more.
  init(store: String, descriptors: Int) throws {
    let command = """
      ulimit -n "$1"
      exec "$(dirname "$(readlink "/proc/$PPID/exe")")/market-server" \
        --store "$2" --listen 127.0.0.1:0 --allow-host market.example --allow-host a
      """
    process = try ChildProcess(
      "/bin/sh", arguments: ["-c", command, "sh", "\(descriptors)", store])
    let line = try #require(try process.readLine())
    client = RawClient(port: try #require(HostAndPort(String(line.dropFirst(20)))).port)
  }

  func signal(_ number: Int32) { process.signal(number) }

  var processorTicks: Int? { process.processorTicks }

  /// The most memory that it has held so far, in bytes.
  var peakMemory: Int? { process.peakMemory }

  /// How many descriptors it has open.
  var descriptorCount: Int? { process.descriptorCount }

  func kill() { process.kill() }

  func terminate() throws -> Int32? { try process.terminate() }
}
