import Glibc
import TestSupport

/// A server that is stopped, stalled and started again, behind a line on which answers get lost.
final class SoakServer {
  private let store: String
  private let listening: String
  private let proxy: SoakProxy
  private var process: ChildProcess?
  private var isStalled = false

  /// Where the market finds it.
  var address: String { proxy.address }

  init(store: String, seed: UInt64) throws {
    self.store = store
    let process = try ChildProcess(
      "market-server", arguments: ["--store", store, "--listen", "127.0.0.1:0"])
    guard let line = try process.readLine(),
      let port = line.split(separator: ":").last.flatMap({ UInt16($0) })
    else { throw UnexpectedError(description: "the server does not start") }
    listening = "127.0.0.1:\(port)"
    proxy = try SoakProxy(to: port, seed: seed)
    self.process = process
  }

  /// Something happens to it.
  ///
  /// - Returns: what that was.
  func disturb(using random: inout SeededRandom) -> String {
    switch Int.random(in: 0..<10, using: &random) {
    case 0:
      process?.kill()
      process = nil
      return "server killed"
    case 1:
      process?.signal(SIGSTOP)
      isStalled = true
      return "server stopped"
    case 2, 3:
      calmDown()
      return "server in order"
    default:
      let weather = SoakFaultInjector.allCases.randomElement(using: &random) ?? .fair
      proxy.turn(weather)
      return "answers: \(weather)"
    }
  }

  /// It runs and answers again.
  func calmDown() {
    proxy.turn(.fair)
    if isStalled { process?.signal(SIGCONT) }
    isStalled = false
    guard process == nil else { return }
    process = try? ChildProcess(
      "market-server", arguments: ["--store", store, "--listen", listening])
    _ = try? process?.readLine()
  }
}
