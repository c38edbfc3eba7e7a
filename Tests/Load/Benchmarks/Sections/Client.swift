import TerminalTestSupport

extension Section {
  /// From starting the program to the products of a server.
  static var client: Section {
    Section(
      name: "client to first products", subjects: ["market"],
      benchmarks: [
        Benchmark(
          [
            Figure("from a local server", .milliseconds, atMost: 30).pictured,
            Figure("from the cache, server gone", .milliseconds, atMost: 20).pictured,
          ], measure: firstProducts)
      ])
  }

  private static func firstProducts(_ bench: Bench) throws -> [[String: Double]] {
    let runs = 15
    let market = try bench.requiredMarket()
    var server: LocalServer? = try market.server(on: market.generated(100_000))
    let address = server?.address ?? ""
    let homes = try (0..<runs).map { _ in try bench.workbench.freshDirectory("client") }
    let subjects = try homes.map { home in
      try market.subject(Market.Setting(store: .server(address: address, home: home)))
    }
    let fromServer = try subjects.map(seen).median
    server = nil
    let fromCache = try subjects.map { try Probe($0).firstScreen() }.median
    return [fromServer, fromCache].map { $0.map { ["market": $0] } ?? [:] }
  }

  /// Quits after the first screen, so that what was seen is kept.
  private static func seen(_ subject: Subject) throws -> Double {
    let probe = try Probe(subject)
    let time = try probe.firstScreen()
    probe.settle(.milliseconds(200))
    _ = try probe.timeToEnd(after: subject.quit)
    return time
  }
}
