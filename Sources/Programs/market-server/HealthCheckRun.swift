import CommandKit
import MarketAPI
import MarketClient
import MarketModel
import MarketServer
import MarketStrings
import SafeTextKit

/// Readiness check of a running server, for scripts and process managers.
struct HealthCheckRun {
  private static let limits = TransferLimits(
    bodyBytes: 64 << 10, connect: .seconds(5), idle: .seconds(5), total: .seconds(5))

  private let address: String
  private let strings: Strings

  /// Creates a check of the server at `http://HOST:PORT`.
  init(of address: String, _ strings: Strings) {
    self.address = address
    self.strings = strings
  }

  /// Runs the check; exit status 0 if a market answers that it is ready.
  func run() async -> Int32 {
    guard let server = WebAddress(address),
      let answer = try? await CurlTransport().answer(
        to: HTTPHop(
          method: .get, address: WebAddress(origin: server.origin, target: HealthRoute.ready),
          limits: Self.limits)
      ).response
    else {
      Console.say(strings(.checkUnresponsive, SafeText(address)))
      return 1
    }
    guard answer.headers[HeaderName.extensions] == "1" else {
      Console.say(strings(.checkOther, SafeText(address)))
      return 1
    }
    let sentence = String(decoding: answer.body.prefix { $0 != 0x0A }, as: UTF8.self)
    if answer.status == .ok, sentence == HealthRoute.isReady {
      Console.say(strings(.checkReady, SafeText(address)))
      return 0
    }
    Console.say(strings(.checkNotReady, SafeText(address), SafeText(sentence)))
    return 1
  }
}
