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

struct EmptyListTests {
  /// What a list of 60 by 14 cells says in its middle.
  private func middle(
    _ stage: Stage, _ language: Language = .english, keys: CustomKeyBindings = CustomKeyBindings()
  ) -> [String] {
    stage.screen(60, 14, language, keys: keys).draw().lines[1...12].map { line in
      String(line.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }.filter { !$0.isEmpty }
  }

  private func show(_ query: ProductQuery, on stage: Stage) async throws {
    stage.browser.show(query)
    try await stage.repository.pages.next().answer(.sample([Int64]()))
    await until { !stage.browser.feed.isStale }
  }

  @Test func `an empty market names the key that sells`() async throws {
    let stage = Stage(sells: true, marketName: "home", marketAddress: "http://market.example")
    try await stage.show([])

    expect(
      middle(stage), ["Nothing for sale yet", "http://market.example", "n sell the first product"])
  }

  @Test(arguments: [
    (
      Language.english,
      ["▸ without “mug”: 2 products", "without on sale: 1,200+ products"], "↵ Show these"
    ),
    (.korean, ["▸ “mug” 제외: 2개", "할인 중 제외: 1,200개 이상"], "↵ 이 상품 보기"),
  ])
  func `a search without finds says what each part costs, and shows what is chosen`(
    language: Language, lines: [String], hint: String
  ) async throws {
    let stage = Stage()
    try await stage.show([])
    try await show(ProductQuery(text: "mug", filters: [.reduced]), on: stage)

    try await stage.repository.totals.next().answer(.exactly(2))
    try await stage.repository.totals.next().answer(.atLeast(1_200))
    await until { stage.browser.wider.choices.count == 2 }
    let screen = middle(stage, language)
    stage.press(.down, .enter)
    let call = try await stage.repository.pages.next()

    expect(Array(screen[2...3]), lines)
    #expect(screen.contains { $0.hasPrefix(hint) })
    expect(call.request.query, ProductQuery(text: "mug"))
  }

  @Test func `a click shows what is found without a part`() async throws {
    let stage = Stage()
    try await stage.show([])
    try await show(ProductQuery(text: "mug", filters: [.reduced]), on: stage)
    try await stage.repository.totals.next().answer(.exactly(2))
    await until { !stage.browser.wider.choices.isEmpty }

    let row = try #require(
      stage.lines(80, 24, .english).firstIndex { $0.contains("without “mug”") })
    stage.click(40, row)

    try await expect(stage.repository.pages.next().request.query, ProductQuery(filters: [.reduced]))
  }

  @Test func `the keys are the user's own`() async throws {
    let stage = Stage(sells: true)
    try await stage.show([])

    var keys = CustomKeyBindings()
    _ = keys.give(try #require(KeyPress(name: "F9")), to: "sell")
    _ = keys.give("n", to: nil)

    expect(middle(stage, keys: keys).last, "F9 sell the first product")
  }

  @Test func `filters that leave nothing are cleared by one key`() async throws {
    let stage = Stage()
    try await stage.show([])
    try await show(ProductQuery(filters: [.inStock]), on: stage)
    expect(
      middle(stage),
      [
        "No products match these filters", "Filters: in stock",
        "Esc clear filters      f other filters",
      ])

    stage.press(.escape)
    let call = try await stage.repository.pages.next()

    expect(call.request.query, ProductQuery())
  }

  @Test func `an empty market file says how to fill it, an empty server does not`() async throws {
    let named = Stage(sells: true, marketName: "mine.store")
    try await named.show([])
    let usual = Stage(sells: true)
    try await usual.show([])
    let server = Stage(sells: true, marketName: "home", marketAddress: "http://market.example")
    try await server.show([])

    #expect(
      named.lines(80, 24, .english).contains {
        $0.contains("Run “market sample --store FILE” in a shell to add sample products")
      })
    #expect(usual.lines(80, 24).contains { $0.contains("셸에서 “market sample”을 실행하면") })
    #expect(!server.lines(80, 24, .english).contains { $0.contains("market sample") })
  }

  @Test func `only keys that can do something are offered`() async throws {
    let stage = Stage(sells: true)
    try await stage.show([])
    let empty = try #require(stage.lines(160, 14, .english).last)
    try await show(ProductQuery(text: "mug"), on: stage)
    let searched = try #require(stage.lines(160, 14, .english).last)

    for word in ["Copy as text", "Undo", "Search", "Sort", "Filter", "Larger cards"] {
      #expect(!empty.contains(word))
    }
    #expect(searched.contains("/ Search") && searched.contains("f Filter"))
    for word in ["Copy as text", "Sort", "v List", "v Grid"] {
      #expect(!searched.contains(word))
    }
  }

  @Test func `without an answer the top bar says so, and nothing is offered that needs one`()
    async throws
  {
    let stage = Stage(sells: true, marketName: "home", marketAddress: "http://market.example")
    stage.browser.start()
    try await stage.repository.pages.next().fail(.unreachable(.refused))
    await until { stage.browser.reconnection.isNeeded }

    let lines = stage.lines(120, 14, .english)
    let footer = try #require(lines.last)

    #expect(lines[0].hasPrefix(" OpenMarket  home · no response  "))
    #expect(footer.hasPrefix(" R Retry  n Sell") && footer.contains("q Quit"))
    for word in ["Search", "Sort", "Refresh", "List"] { #expect(!footer.contains(word)) }
  }

  @Test func `a market that does not answer is named, with its address and the next try`()
    async throws
  {
    let stage = Stage(marketName: "home", marketAddress: "http://market.example")
    stage.browser.start()
    try await stage.repository.pages.next().fail(.unreachable(.refused))
    await until { stage.browser.reconnection.isNeeded }

    expect(
      middle(stage),
      [
        "home is not responding", "Cannot connect; is the server running?",
        "http://market.example · tried 1 time", "retrying in 1 s      R retry now",
      ])
    expect(
      middle(stage, .korean),
      [
        "home에서 응답이 없습니다", "연결할 수 없습니다. 서버가 켜져 있는지 확인해 주세요",
        "http://market.example · 1번 시도", "1초 뒤 다시 시도      R 지금 다시 시도",
      ])
  }

  @Test func `a click on a key does what it does`() async throws {
    let stage = Stage()
    stage.browser.start()
    try await stage.repository.pages.next().fail(.unreachable(.refused))
    await until { stage.browser.reconnection.isNeeded }
    let lines = stage.screen(60, 14, .english).draw().lines
    let row = try #require(lines.firstIndex { $0.contains("R retry now") })
    let column = try #require(lines[row].firstRange(of: "R retry now")).lowerBound

    stage.click(
      lines[row].distance(from: lines[row].startIndex, to: column), row, columns: 60, rows: 14)
    try await stage.repository.pages.next().answer(.sample([1]))
    await until { stage.browser.feed.count == 1 }

    expect(stage.browser.reconnection.phase, .idle)
  }

  @Test(arguments: everyWidth, Language.allCases)
  func `what is said fits every window`(width: Int, language: Language) async throws {
    let stage = Stage(marketAddress: "http://market.example")
    stage.browser.start()
    try await stage.repository.pages.next().fail(.unreachable(.refused))
    await until { stage.browser.reconnection.isNeeded }

    for rows in [6, 8, 12, 24] {
      let lines = stage.lines(width, rows, language)
      expect(lines.count, rows)
    }
    #expect(stage.lines(width, 24, language).contains { $0.contains("R ") })
  }

  @Test func `a market that takes long is still waited for, and that is said`() async throws {
    let stage = Stage()
    stage.browser.start()
    try await stage.clock.sleeps(of: .milliseconds(150)).next().answer(())
    try await stage.clock.sleeps(of: .seconds(4)).next().answer(())
    await until { stage.browser.spinner.isSlow }

    expect(middle(stage).first, "Still waiting for Local market")
  }

  @Test func `a page that failed is one row among those that are there`() async throws {
    let stage = Stage()
    stage.browser.start()
    try await stage.repository.pages.next().answer(
      .sample((981...1_000).reversed(), total: .exactly(1_000), next: .number(2)))
    await until { stage.browser.feed.count == 1_000 }
    _ = stage.lines(70, 12)
    stage.press("G", columns: 70, rows: 12)
    var call = try await stage.repository.pages.next()
    while call.request.position != .number(50) { call = try await stage.repository.pages.next() }

    call.fail(.unreachable(.timedOut))
    await until { stage.browser.feed.failure != nil }

    let failed = stage.lines(100, 12, .english).filter { $0.contains("✗") }
    expect(failed.count, 1)
    expect(failed.first?.contains("R to retry · retrying in 1 s"), true)
  }

  @Test func `the top bar names the query whose rows are shown, and that nothing answers`()
    async throws
  {
    let stage = Stage()
    try await stage.show(Product.samples([2, 1]))
    stage.browser.show(ProductQuery(text: "mug"))
    try await stage.repository.pages.next().fail(.unreachable(.refused))
    await until { stage.browser.reconnection.isNeeded }

    let bar = stage.lines(120, 12, .english)[0]

    #expect(!bar.contains("mug"))
    #expect(bar.contains("2 products · no response, retrying in 1 s"))
  }

  @Test func `a search that fails says so in its line, and Esc brings back what was there`()
    async throws
  {
    let stage = Stage()
    try await stage.show(Product.samples([2, 1]))
    stage.press("/", "m")
    try await stage.clock.sleeps(of: .milliseconds(150)).next().answer(())
    var pause = try await stage.clock.sleeps(of: .milliseconds(150)).next()
    while stage.repository.pages.callCount < 2 {
      pause.answer(())
      pause = try await stage.clock.sleeps(of: .milliseconds(150)).next()
    }
    try await stage.repository.pages.next().fail(.unreachable(.timedOut))
    await until { stage.browser.feed.phase.failure != nil }
    expect(
      stage.lines(120, 12, .english)[10], " ✗ The server took too long to respond · ↵ to retry")

    stage.press(.escape)

    #expect(stage.lines(80, 12, .english)[1].contains("Product 2"))
    #expect(!stage.browser.feed.isStale)
  }
}
