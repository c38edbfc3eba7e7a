import MarketModel
import MarketStrings
import MarketViewModels
import MarketViews
import TerminalKit
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct TopBarTests {
  @Test func `where there is little room whole parts are left out, the usual ones first`() async {
    let stage = Stage()
    await stage.show(Product.samples([2, 1]))

    #expect(stage.lines(60, 10)[0].hasSuffix("최신순 · 전체"))
    #expect(stage.lines(40, 10)[0] == " OpenMarket  로컬 마켓 · 2개     최신순")
    #expect(stage.lines(40, 10, .english)[0] == " OpenMarket  Local market · 2 items")
    #expect(stage.lines(30, 10, .english)[0] == " OpenMarket  Local market")
  }

  @Test func `what is searched for stays, cut where it is long`() async {
    let stage = Stage()
    await stage.show(Product.samples([2, 1]))
    stage.press("/")
    for _ in 0..<30 { stage.press("m") }
    stage.press(.enter)
    await stage.repository.pages.next().answer(.sample([2]))
    await until { !stage.browser.feed.isStale }

    #expect(stage.lines(40, 10)[0].hasSuffix("  “mmmmmmmmm…”"))
  }
}
