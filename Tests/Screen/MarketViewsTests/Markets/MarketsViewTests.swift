import MarketModel
import MarketStrings
import MarketViewModels
import MarketViews
import SellingTestSupport
import TerminalKit
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct MarketsViewTests {
  /// A stage on a local market with the servers `home` and `far.example` beside it.
  private struct MarketsStage {
    let stage = Stage()
    let markets: Markets
    let fake: FakeMarkets

    init(_ servers: [String] = ["home", "far.example"]) async {
      markets = Markets(stage.navigator)
      fake = FakeMarkets(servers, on: stage.navigator, clock: stage.clock)
      markets.directory = fake
      markets.probe = fake
      markets.opener = fake
      await stage.show(Product.samples([2, 1]))
    }

    var menu: MarketsModel? { stage.top as? MarketsModel }

    /// Opens the menu and answers for all markets but the last one.
    func openMenu() async {
      stage.press("w")
      await fake.glances(of: "local").next().answer(.sample(66))
      await fake.glances(of: "server-home").next().answer(
        .sample(1_204, milliseconds: 4, api: "2023"))
      let menu = menu
      await until { menu?.rows.dropLast().allSatisfy { $0.state != .asking } == true }
    }
  }

  @Test func `markets drop from the market's name with what each has`() async {
    let stage = await MarketsStage()
    await stage.openMenu()

    #expect(
      Array(stage.stage.lines(80, 24, .english)[0...9]) == [
        ""
      ])
  }

  @Test func `why a market does not answer stands in its row, in Korean as well`() async {
    let stage = await MarketsStage()
    await stage.openMenu()
    await stage.fake.glances(of: "server-far.example").next().fail(.unreachable(.refused))
    let menu = stage.menu
    await until { menu?.rows.last?.state == .failed(.unreachable(.refused)) }

    #expect(
      Array(stage.stage.lines(80, 24)[0...9]) == [
        ""
      ])
  }

  @Test(arguments: everyWidth) func `the menu stays within any window`(width: Int) async {
    let stage = await MarketsStage(["a-market-with-a-name-that-is-longer-than-any-window-is-wide"])
    stage.stage.press("w")

    for rows in [6, 8, 24] {
      let lines = stage.stage.screen(width, rows, .english).draw().lines
      #expect(lines.count == rows)
    }
  }

  @Test func `a click on the market's name opens the menu, and one on a row goes there`() async {
    let stage = await MarketsStage()

    stage.stage.click(15, 0)
    #expect(stage.menu != nil)
    stage.stage.click(20, 3)

    #expect(stage.markets.current.marketName == "home")
  }

  @Test func `two keys lead back to the market before, also in Hangul mode`() async {
    let stage = await MarketsStage()
    stage.stage.press("w")
    stage.menu?.move(by: 1)
    stage.menu?.choose()
    let home = stage.markets.current
    #expect(home.marketName == "home")

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

  @Test func `one market alone has no menu`() async {
    let stage = Stage()
    await stage.show(Product.samples([1]))

    stage.press("w")

    #expect(stage.top === stage.browser)
    #expect(!stage.lines(80, 24)[0].contains("▾ ·"))
  }

  @Test func `what is typed to add a market is told what comes of it`() async {
    let stage = await MarketsStage()
    stage.stage.press("w", "a")
    stage.stage.press("x")
    stage.stage.press(.enter)
    await stage.fake.glances(of: "server-x").next().fail(.unreachable(.insecure))
    let line = stage.stage.top as? MarketAddModel
    await until { line?.phase == .failed(.unreachable(.insecure)) }

    let lines = stage.stage.lines(80, 24, .english).joined(separator: "\n")

    #expect(lines.contains("The server's certificate cannot be trusted"))
    #expect(lines.contains("SSL_CERT_FILE"))
  }

  @Test func `serving names the command and what listens there`() async {
    let stage = await MarketsStage()
    stage.stage.press("w", "s")
    await stage.fake.glances(of: "server-serve").next().answer(
      .sample(7, milliseconds: 1, api: "2023"))
    let serve = stage.stage.top as? MarketServeModel
    await until { serve?.phase != .asking }

    let lines = stage.stage.lines(80, 24, .english).joined(separator: "\n")

    #expect(lines.contains("market serve --store /m.sqlite"))
    #expect(lines.contains("is served at http://127.0.0.1:8080 already: 7 products"))
  }

  @Test func `a search of all markets names each with its finds`() async {
    let stage = await MarketsStage()
    stage.stage.navigator.searchEverywhere(ProductQuery(text: "bike"))
    await stage.fake.finds(of: "local").next().answer(
      ProductPage(
        products: [.sample(id: 2, name: "자전거 bike")], total: .exactly(1), next: nil))
    await stage.fake.finds(of: "server-home").next().fail(.unreachable(.refused))
    let search = stage.stage.top as? EverywhereModel
    await until { search?.sources.dropLast().allSatisfy { $0.state != .asking } == true }

    #expect(
      Array(stage.stage.lines(80, 24, .english)[0...4]) == [
        ""
      ])
    stage.stage.press("v")
    #expect(
      Array(stage.stage.lines(80, 24)[0...3]) == [
        ""
      ])
  }

  @Test func `an empty market and one that is silent lead to others`() async {
    let stage = await MarketsStage()
    stage.stage.browser.refresh()
    await stage.stage.repository.pages.next().answer(
      ProductPage(products: [], total: .exactly(0), next: nil))
    await until { stage.stage.browser.feed.count == 0 }

    #expect(stage.stage.lines(80, 24, .english).contains { $0.contains("w Another market") })
  }
}
