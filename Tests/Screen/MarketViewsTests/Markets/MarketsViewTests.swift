import Expectations
import MarketModel
import MarketStrings
import MarketViewModels
import MarketViews
import SafeTextKit
import SellingTestSupport
import TerminalKit
import TestSupport
import Testing

struct MarketsViewTests {
  /// A stage on a local market with the servers `home` and `far.example` beside it.
  private struct MarketsStage {
    let stage = Stage()
    let markets: Markets
    let fake: FakeMarkets

    init(_ servers: [String] = ["home", "far.example"]) async throws {
      markets = Markets(stage.navigator)
      fake = FakeMarkets(servers, behind: markets, clock: stage.clock)
      try await stage.show(Product.samples([2, 1]))
    }

    var menu: MarketsModel? { stage.top as? MarketsModel }

    /// Opens the menu and answers for all markets but the last one.
    func openMenu() async throws {
      stage.press("w")
      try await fake.glances(of: "local").next().answer(.sample(66))
      try await fake.glances(of: "server-home").next().answer(
        .sample(1_204, milliseconds: 4, api: "2023"))
      let menu = menu
      await until { menu?.rows.dropLast().allSatisfy { $0.state != .asking } == true }
    }
  }

  @Test func `a market that nobody has named here is called as it says`() async throws {
    var capabilities = RepositoryCapabilities.full
    capabilities.marketName = "Flea\u{1B} market"
    let stage = Stage(repository: GatedProductRepository(capabilities: capabilities))
    let markets = Markets(stage.navigator)
    let fake = FakeMarkets(["home"], behind: markets, clock: stage.clock)
    try await stage.show(Product.samples([2, 1]))
    await until { stage.browser.capabilities != nil }

    let bar = stage.lines(80, 24, .english)[0]
    stage.press("w")
    try await fake.glances(of: "local").next().answer(.sample(66, called: "Flea\u{1B} market"))
    try await fake.glances(of: "server-home").next().answer(.sample(3, called: "Local market"))
    let menu = stage.top as? MarketsModel
    await until { menu?.rows.allSatisfy { $0.state != .asking } == true }
    let lines = stage.lines(80, 24, .english)

    #expect(bar.hasPrefix(" OpenMarket  Flea� market ▾ · 2 products"))
    #expect(lines.contains { $0.contains("Flea� market") && $0.contains("66") })
    #expect(lines.contains { $0.contains("home") && $0.contains("3 products") })
    let server = FakeMarkets.server("far.example")
    expect(server.title(saying: "Local market"), "Local market · far.example")
    expect(server.title(saying: nil), "far.example")
  }

  @Test(arguments: everyWidth) func `the menu stays within any window`(width: Int) async throws {
    let stage = try await MarketsStage([
      "a-market-with-a-name-that-is-longer-than-any-window-is-wide"
    ])
    stage.stage.press("w")

    for rows in [6, 8, 24] {
      let lines = stage.stage.screen(width, rows, .english).draw().lines
      expect(lines.count, rows)
    }
  }

  @Test func `a click on the market's name opens the menu, and one on a row goes there`()
    async throws
  {
    let stage = try await MarketsStage()

    stage.stage.click(15, 0)
    #expect(stage.menu != nil)
    stage.stage.click(20, 3)

    expect(stage.markets.current.marketName, "home")
  }

  @Test func `two keys lead back to the market before, also in Hangul mode`() async throws {
    let stage = try await MarketsStage()
    stage.stage.press("w")
    stage.stage.press("2")
    let home = stage.markets.current
    expect(home.marketName, "home")

    Window(
      navigator: home, size: CellSize(columns: 80, rows: 24),
      context: stage.stage.screen(80, 24).context
    ).handle(.key("ㅉ"))

    #expect(stage.markets.current === stage.stage.navigator)
    stage.stage.press("ㅈ")
    #expect(stage.menu != nil)
    stage.stage.press("ㅈ")
    #expect(stage.markets.current === home)
  }

  @Test func `one market alone has no menu`() async throws {
    let stage = Stage()
    try await stage.show(Product.samples([1]))

    stage.press("w")

    #expect(stage.top === stage.browser)
    #expect(!stage.lines(80, 24)[0].contains("▾ ·"))
  }

  @Test func `what is typed to add a market is told what comes of it`() async throws {
    let stage = try await MarketsStage()
    stage.stage.press("w", "a")
    stage.stage.press("x")
    stage.stage.press(.enter)
    try await stage.fake.glances(of: "server-x").next().fail(.unreachable(.insecure))
    let line = stage.stage.top as? PromptModel
    await until { line?.outcome == .failed(.unreachable(.insecure)) }

    let lines = stage.stage.lines(80, 24, .english).joined(separator: "\n")

    #expect(lines.contains("The server’s certificate cannot be trusted"))
    #expect(lines.contains("SSL_CERT_FILE"))
  }

  @Test func `a command that is cut goes on behind a backslash, and a time keeps its unit`()
    async throws
  {
    let stage = try await MarketsStage()
    try await stage.openMenu()
    stage.menu?.serve()
    try await stage.fake.glances(of: "server-serve").next().answer(
      .sample(1_204, milliseconds: 91, api: "2023"))
    let serve = stage.stage.top as? MarketServeModel
    await until { serve?.phase != .asking }

    #expect(
      stage.stage.lines(80, 24, .english).contains { $0.contains("serve --store /m.sqlite ") })
    let narrow = stage.stage.lines(30, 24, .english)
    #expect(narrow.contains { $0.contains("│ market serve --store \\ ") })
    #expect(narrow.contains { $0.contains("│ /m.sqlite ") })
    for width in 30...60 {
      #expect(stage.stage.lines(width, 24, .english).contains { $0.contains("91 ms") })
    }
    expect(narrow.last?.contains("Esc Back"), true)
  }

  @Test func `finds of all markets stand in the columns of the list, as many as there are`()
    async throws
  {
    let stage = try await MarketsStage([])
    stage.stage.navigator.searchEverywhere(SearchRequest(reading: "in:all"))
    let found = [Product.sample(id: 2, name: "Chair"), Product.sample(id: 1, name: "Sofa")]
    try await stage.fake.finds(of: "local").next().answer(
      ProductPage(products: found, total: .exactly(66), next: nil))
    let search = stage.stage.top as? MultiMarketSearchModel
    await until { search?.isAsking == false }

    let lines = stage.stage.lines(80, 24, .english)
    let ages = lines[2...3].map { $0.suffix(from: $0.lastIndex(of: " ") ?? $0.startIndex) }

    #expect(lines[0].hasPrefix(" OpenMarket  All markets  ") && lines[0].hasSuffix("66 products"))
    expect(lines[1], " Local market  66 products, the first 2 shown")
    #expect(lines[2].hasPrefix("▌   Chair ") && lines[3].hasPrefix("    Sofa "))
    #expect(ages.allSatisfy { $0.count <= 5 } && lines[2].count == lines[3].count)
  }

  @Test func `a result of another market is shown with its picture`() async throws {
    let stage = try await MarketsStage(["home"])
    let picture = Picture(original: "chair", thumbnail: "small")
    stage.stage.navigator.searchEverywhere(SearchRequest(reading: "in:all"))
    try await stage.fake.finds(of: "local").next().answer(ProductPage.nothing)
    try await stage.fake.finds(of: "server-home").next().answer(
      ProductPage(
        products: [.sample(id: 2, name: "Chair", thumbnail: picture)], total: .exactly(1), next: nil
      ))
    let search = stage.stage.top as? MultiMarketSearchModel
    await until { search?.isAsking == false }

    let wanted = try #require(stage.stage.screen(120, 36).wants.first?.picture)

    let parts = try #require(OtherMarketPicture.parts(of: wanted))
    #expect(parts.market == stage.fake.markets[1].key && parts.picture == picture)
  }

  @Test(
    arguments: [
      (ProductTotal.exactly(66), nil, "66 products, the first 50 of each market"),
      (.exactly(1), nil, "1 product"),
      (.atLeast(500), nil, "1 product, the first 50 of each market"),
      (.unknown, PagePosition.number(2), "1 product, the first 50 of each market"),
      (.unknown, nil, "1 product"),
    ] as [(ProductTotal, PagePosition?, String)])
  func `one list of all says where it has but the first ones of a market`(
    total: ProductTotal, next: PagePosition?, note: String
  ) async throws {
    let stage = try await MarketsStage([])
    stage.stage.navigator.searchEverywhere(SearchRequest(reading: "in:all"))
    try await stage.fake.finds(of: "local").next().answer(
      ProductPage(products: [.sample(id: 2)], total: total, next: next))
    let search = stage.stage.top as? MultiMarketSearchModel
    await until { search?.isAsking == false }

    let grouped = stage.stage.lines(80, 24, .english)[0]
    stage.stage.press("v")

    #expect(!grouped.contains("of each market"))
    #expect(stage.stage.lines(80, 24, .english)[0].hasSuffix("  " + note))
    expect(stage.stage.lines(80, 24)[0].hasSuffix("마켓마다 앞의 50개"), note.contains("of each market"))
  }
}
