import TerminalTestSupport

extension Section {
  /// As many requests as one server gets in a long day, in one piece.
  static var endurance: Section {
    Section(
      name: "endurance", subjects: ["market"],
      benchmarks: [
        Benchmark([
          Figure("requests to one server", .count, .atLeast(1_000_000)),
          Figure("its memory then", .megabytes, atMost: 64).pictured,
          Figure("its memory then / after a tenth", .times, atMost: 1.2),
        ]) { bench in try measure(bench).map { ["market": $0] } }
      ])
  }

  /// Pages, details and searches in turns, until there were enough or a minute has passed.
  private static func measure(_ bench: Bench) throws -> [Double] {
    let wanted = 1_000_000
    let market = try bench.requiredMarket()
    let server = try market.server(on: market.generated(100_000))
    let paths = [
      "/api/products?page_no=1&items_per_page=20", "/api/products/50000",
      "/api/products?page_no=2500&items_per_page=20", "/api/products?search_value=mug",
    ]
    let deadline = ContinuousClock.now + .seconds(60)
    var count = 0
    var early: Double?
    while count < wanted, ContinuousClock.now < deadline {
      for path in paths { count += try Load.requests(to: server.address + path, seconds: 1) }
      if early == nil, count >= wanted / 10 { early = server.residentMegabytes }
    }
    guard let memory = server.residentMegabytes else { throw BenchError.noAnswer("its memory") }
    return [Double(count), memory, memory / (early ?? memory)]
  }
}
