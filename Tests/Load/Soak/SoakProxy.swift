import HTTPTestSupport
import Synchronization
import TestSupport

/// Stands between the market and its server, and passes answers on as the weather is.
final class SoakProxy: Sendable {
  private let weather: Mutex<SoakFaultInjector>
  private let random: Mutex<SeededRandom>
  private let server: Mutex<ScriptedServer?>

  /// - Parameters:
  ///   - port: where the server listens on this machine.
  ///   - seed: what chance does with answers.
  /// - Throws: where there is no port to listen on.
  init(to port: UInt16, seed: UInt64) throws {
    weather = Mutex(.fair)
    random = Mutex(SeededRandom(seed: seed))
    server = Mutex(nil)
    let listening = try ScriptedServer { [weak self] request, _ in
      self?.steps(for: request, from: port) ?? [.close]
    }
    server.withLock { $0 = listening }
  }

  var address: String { server.withLock { $0?.base ?? "" } }

  func turn(_ weather: SoakFaultInjector) {
    self.weather.withLock { $0 = weather }
  }

  private func steps(for request: ReceivedRequest, from port: UInt16) -> [ServerStep] {
    let answer = UpstreamRequest(request).answer(from: port)
    guard !answer.isEmpty else { return [.close] }
    let weather = weather.withLock { $0 }
    return random.withLock { weather.steps(for: Self.withoutClose(answer), using: &$0) }
  }

  /// The answer as if the connection went on.
  private static func withoutClose(_ answer: [UInt8]) -> [UInt8] {
    let line = Array("\r\nConnection: close".utf8)
    guard let start = answer.firstRange(of: line) else { return answer }
    return Array(answer[..<start.lowerBound] + answer[start.upperBound...])
  }
}
