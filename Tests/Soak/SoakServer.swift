import Glibc
import TestSupport

/// A server that is stopped, stalled and started again.
final class SoakServer {
  let address: String
  private let store: String
  private var process: ChildProcess?
  private var isStalled = false

  init(store: String) throws {
    self.store = store
    let process = try ChildProcess(
      "market-server", arguments: ["--store", store, "--listen", "127.0.0.1:0"])
    guard let line = process.readLine() else {
      throw BrokenPromise(description: "the server does not start")
    }
    address = String(line.dropFirst("listening on ".count))
    self.process = process
  }

  /// Something happens to it.
  func disturb(using random: inout SeededRandom) {
    switch Int.random(in: 0..<4, using: &random) {
    case 0:
      process?.kill()
      process = nil
    case 1:
      process?.signal(SIGSTOP)
      isStalled = true
    default: calmDown()
    }
  }

  /// It runs and answers again.
  func calmDown() {
    if isStalled { process?.signal(SIGCONT) }
    isStalled = false
    guard process == nil else { return }
    let listening = String(address.dropFirst("http://".count))
    process = try? ChildProcess(
      "market-server", arguments: ["--store", store, "--listen", listening])
    _ = process?.readLine()
  }
}
