import TerminalTestSupport

extension Section {
  private static let firstPage = "/api/products?page_no=1&items_per_page=20"

  /// The server beside others.
  static var server: Section {
    Section(
      name: "server", subjects: ["market", "nginx", "node", "flask"],
      benchmarks: Size.all.map(load) + [depth, search])
  }

  /// Pages and details under load, first of a store that stays, then of one that changes.
  private static func load(_ size: Size) -> Benchmark {
    let page = "page of 20 of \(size.text)"
    let detail = "detail of \(size.text)"
    let figures = [
      Figure(page, .perSecond, .atLeast(0.9, of: "nginx")),
      Figure("\(page) / node", .times, .atLeast(1)),
      Figure("\(page), p99 / median", .times, .atMost(5)),
      Figure("\(page), 100 writes/s", .perSecond, .atLeast(0.5, of: "nginx")),
      Figure("\(page), 100 writes/s, p99 / median", .times, .atMost(5)),
      Figure(detail, .perSecond, .atLeast(0.5, of: "nginx")),
      Figure("\(detail), 100 writes/s", .perSecond, .atLeast(0.25, of: "nginx")),
      Figure("memory after all that", .megabytes, .atMost(64)),
    ]
    let isPictured = size == Size.all.last
    return Benchmark(isPictured ? figures.map(\.pictured) : figures) { bench in
      let market = try bench.requiredMarket()
      let store = try market.generated(size.count)
      let server = try market.server(on: store)
      let pages = try loads(of: firstPage, of: server, store, bench, isPage: true)
      let middle = "/api/products/\(size.count / 2)"
      let details = try loads(of: middle, of: server, store, bench, isPage: false)
      let memory = server.residentMegabytes.map { ["market": $0] } ?? [:]
      let rows = pages.map { [$0.mapValues(\.perSecond), $0.mapValues { $0.p99 / $0.median }] }
      return [rows[0][0], besideNode(rows[0][0]), rows[0][1]] + rows[1]
        + details.map { $0.mapValues(\.perSecond) } + [memory]
    }
  }

  /// What the market answers a second as a multiple of what node does; empty without node.
  private static func besideNode(_ rates: [String: Double]) -> [String: Double] {
    guard let market = rates["market"], let node = rates["node"] else { return [:] }
    return ["market": market / node]
  }

  /// What servers do while the store stays, and while it changes.
  private static func loads(
    of path: String, of server: LocalServer, _ store: String, _ bench: Bench, isPage: Bool
  ) throws -> [[String: Load]] {
    let answer = try LocalConnection(port: server.port).body(of: path)
    let others = try others(answering: answer, store, bench, isPage: isPage)
    let targets = [(server, path)] + others.map { ($0, OtherServers.path) }
    let still = try Load.measure(targets)
    let toucher = try StoreToucher(path: store)
    defer { withExtendedLifetime(toucher) {} }
    return [still, try Load.measure(targets)]
  }

  /// Only pages are something that flask makes anew from the store.
  private static func others(
    answering answer: [UInt8], _ store: String, _ bench: Bench, isPage: Bool
  ) throws -> [LocalServer] {
    guard bench.comparesOthers else { return [] }
    return [
      try OtherServers.nginx(answer, on: bench.workbench),
      try OtherServers.node(answer, on: bench.workbench),
      isPage ? try OtherServers.flask(store: store) : nil,
    ].compactMap(\.self)
  }

  /// Pages that were not asked for before, at the ends of the longest list.
  private static var depth: Benchmark {
    Benchmark([Figure("page 50,000 / page 1, each new", .times, .atMost(2)).pictured]) { bench in
      let server = try FreshServer(Size.million, bench)
      let first = try server.times((1...50).map(server.page)).median
      let last = try server.times((49_951...50_000).map(server.page)).median
      guard let first, let last else { return [[:]] }
      return [["market": last / first]]
    }
  }

  /// Searches, each asked once.
  private static var search: Benchmark {
    Benchmark([
      Figure("search of 1,000,000, newest first, p99", .milliseconds, atMost: 5).pictured,
      Figure("search of one letter, slowest", .milliseconds, atMost: 300).pictured,
      Figure("search, cheapest first, slowest", .milliseconds, atMost: 300).pictured,
    ]) { bench in
      let server = try FreshServer(Size.million, bench)
      let newest = try server.times(FreshServer.searches.map(server.search))
      let letters = try server.times("aekq세마".map { server.search(String($0)) })
      let cheapest = try server.times(
        FreshServer.searches.prefix(20).map { server.search($0) + "&sort=cheapest" })
      return [newest.quantile(0.99), letters.max(), cheapest.max()].map {
        $0.map { ["market": $0] } ?? [:]
      }
    }
  }
}
