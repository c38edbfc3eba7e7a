import MarketModel
import MarketStrings
import MarketViewModels
import MarketViews
import TerminalKit
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct BottomBarTests {
  private static let other = Seller(id: Seller.ID(rawValue: 9), name: "Someone else")

  /// The footer of an open detail whose product is this seller's, while another one sells.
  private func footer(
    of seller: Seller, capabilities: RepositoryCapabilities = .full
  ) async -> String {
    let stage = Stage(
      repository: GatedProductRepository(capabilities: capabilities), sells: true)
    await stage.show([.sample(id: 1, seller: seller)])
    stage.press(.enter)
    return stage.lines(160, 24, .english).last ?? ""
  }

  @Test func `what cannot succeed for another seller's product is not offered`() async {
    let footer = await footer(of: Self.other)

    #expect(!footer.contains("Edit") && !footer.contains("Delete"))
    #expect(footer.contains("Help"))
  }

  @Test func `a guest's product may be changed by whoever knows its password`() async {
    #expect(await footer(of: .guest).contains("e Edit  D Delete"))
  }

  @Test func `what leads back from fewer products, and what tries again, is offered then alone`()
    async
  {
    let stage = Stage()
    await stage.show(Product.samples([2, 1]))
    #expect(stage.lines(80, 24).last?.hasPrefix(" ↵ 열기  / 검색") == true)

    stage.press("/", "m", .enter)
    await stage.repository.pages.next().answer(.sample([]))
    await until { !stage.browser.feed.isStale }
    #expect(stage.lines(80, 24).last?.hasPrefix(" Esc 모두 보기  / 검색") == true)

    stage.press("r")
    await stage.repository.pages.next().fail(.unreachable(.timedOut))
    await until { stage.navigator.notice != nil }
    #expect(stage.lines(40, 24).last?.hasSuffix("… · R 다시 시도") == true)
  }

  @Test func `a market that is silent when one wants to sell is waited for in sight, until Esc`()
    async
  {
    let repository = GatedProductRepository(capabilities: nil)
    let stage = Stage(repository: repository, sells: true)
    stage.press("n")
    #expect(stage.lines(80, 24, .english).last == " Asking the market… (Esc cancels)")

    stage.press(.escape)

    #expect(stage.lines(80, 24, .english).last?.contains("? Help") == true)
    #expect(stage.navigator.selling?.opening.isWaiting == false)
  }

  @Test func `pictures are offered where there are any, and others where there are others`() async {
    let bare = Stage()
    await bare.show([.sample(thumbnail: nil)])
    bare.press(.enter)
    let single = Stage()
    await single.show([.sample(thumbnail: Picture(original: "1", thumbnail: "1"))])
    single.press(.enter)

    let footers = [bare, single].map { $0.lines(160, 24, .english).last ?? "" }

    #expect(footers.map { $0.contains("Enlarge") } == [false, true])
    #expect(!footers.contains { $0.contains("Next picture") })
  }

  @Test func `where the market does not tell whose a product is, the password decides`() async {
    var capabilities = RepositoryCapabilities.full
    capabilities.queriesBySeller = false

    #expect(await footer(of: Self.other, capabilities: capabilities).contains("e Edit  D Delete"))
  }
}
