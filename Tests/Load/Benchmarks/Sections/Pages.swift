extension Section {
  /// Pages for browsers and for `curl` beside what the API says of the same products.
  static var pages: Section {
    Section(name: "pages", subjects: ["market", "API"], benchmarks: [known, new])
  }

  private static let html = "text/html"
  private static let json = "application/json"
  private static let list = "/api/products?page_no=1&items_per_page=24"

  /// Pages that the server remembers, and while the store changes.
  private static var known: Benchmark {
    let page = "HTML page of 24 of 1,000"
    return Benchmark([
      Figure(page, .perSecond, .atLeast(0.3, of: "API")),
      Figure("\(page), 100 writes/s", .perSecond, .atLeast(0.3, of: "API")),
      Figure("HTML page of a product", .perSecond, .atLeast(0.3, of: "API")),
    ]) { bench in
      let market = try bench.requiredMarket()
      let store = try market.generated(Size.thousand.count)
      let server = try market.server(on: store)
      let lists = [("market", server.address + "/", html), ("API", server.address + list, json)]
      let products = [
        ("market", server.address + "/products/500", html),
        ("API", server.address + "/api/products/500", json),
      ]
      let still = try Load.measure(asking: lists)
      let details = try Load.measure(asking: products)
      let toucher = try StoreToucher(path: store)
      defer { withExtendedLifetime(toucher) {} }
      return [still, try Load.measure(asking: lists), details].map { $0.mapValues(\.perSecond) }
    }
  }

  /// Pages that are requested for the first time.
  private static var new: Benchmark {
    Benchmark([
      Figure("HTML page of a search, each new", .milliseconds, .atMost(1 / 0.3, of: "API")),
      Figure("HTML page of a product, each new", .milliseconds, .atMost(1 / 0.3, of: "API")),
    ]) { bench in
      let server = try FreshServer(Size.thousand, bench)
      let words = FreshServer.searches
      let ids = Array(1...400)
      func medians(_ paths: [String], _ pages: [String]) throws -> [String: Double] {
        let api = try server.times(paths, accepting: json).median
        let page = try server.times(pages, accepting: html).median
        return ["API": api, "market": page].compactMapValues(\.self)
      }
      return [
        try medians(
          words.map { server.search($0, size: 24) }, words.map { "/?q=" + FreshServer.encoded($0) }),
        try medians(ids.map(server.detail), ids.map { "/products/\($0 + 500)" }),
      ]
    }
  }
}
