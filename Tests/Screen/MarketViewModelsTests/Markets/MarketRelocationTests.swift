import Expectations
import MarketModel
import PersonalStore
import SafeTextKit
import SellingTestSupport
import TestSupport
import Testing

@testable import MarketViewModels

/// A market that says that it is one which the person knows from another address.
struct MarketRelocationTests {
  /// A server at a new address, whose market has an id.
  private struct Stage {
    let repository = GatedProductRepository(answersCancelledCalls: false)
    let store = PersonalFile.inMemory()
    let navigator: Navigator
    let markets: Markets
    let fake: FakeMarkets
    let id = MarketID.random()
    let previous = FavoriteMarket(
      key: MarketKey(rawValue: "/old.sqlite"), name: "old", location: "/old.sqlite")

    init(saysID: Bool = true) {
      let program = ProgramState()
      program.personal = store
      let clock = ManualClock()
      navigator = Navigator(
        browser: BrowserModel(
          repository: repository, arrangement: .list, pageSize: 4, clock: clock),
        gallery: PictureGallery(loader: NoPictures()), marketName: "new",
        marketAddress: "http://new/", clock: clock, market: MarketKey(rawValue: "http://new/"),
        identity: Identity(id: saysID ? id : nil), program: program,
        now: { Timestamp(seconds: 0) })
      markets = Markets(
        navigator,
        of: KnownMarket(
          key: navigator.market, name: SafeText("new"), location: .server(address: "http://new/")))
      fake = FakeMarkets([], on: navigator, clock: clock)
      markets.probe = fake
      navigator.browser.list.didLayOut(columns: 1, visibleRows: 3)
    }

    /// Shows the first page, until nothing happens any more.
    func show() async throws {
      navigator.start()
      try await repository.pages.next().answer(.sample([9, 8]))
      await settle()
    }

    /// Has something be kept of a market, which may have said an id.
    func keep(of market: FavoriteMarket, id: MarketID? = nil) async {
      _ = await store.add(.sample(id: 7), description: nil, of: market)
      if let id { await store.didIdentify(id, at: market.key) }
    }

    func settle() async {
      await navigator.stack.settle()
      for _ in 0..<3 { await store.settle() }
    }

    /// Where something is kept.
    var places: [MarketKey] {
      get async { await store.favoritesNow.map(\.market.key) }
    }

    var question: ConfirmationModel? { navigator.stack.first(ConfirmationModel.self) }
  }

  private struct Identity: IdentifiedMarket {
    let id: MarketID?
    func marketID() async throws(RepositoryError) -> MarketID? { id }
  }

  @Test func `a yes moves what is kept, and nothing is asked of the market for it`() async throws {
    let stage = Stage()
    await stage.keep(of: stage.previous, id: stage.id)
    try await stage.show()
    let question = stage.question
    expect(question?.subject, .relocation(from: "old"))

    question?.answer(true)
    await stage.settle()

    await expect(stage.places, [stage.navigator.market])
    expect(stage.navigator.notice, .hint(.favoritesMoved))
    #expect(stage.question == nil)
    expect(stage.repository.pages.callCount, 1)
    expect(stage.repository.details.callCount, 0)
  }

  @Test func `a no is remembered, and Esc leaves it for another time`() async throws {
    for isNo in [true, false] {
      let stage = Stage()
      await stage.keep(of: stage.previous, id: stage.id)
      try await stage.show()

      if isNo { stage.question?.answer(false) } else { stage.question?.cancel() }
      await stage.settle()

      await expect(stage.places, [stage.previous.key])
      let known = await stage.store.didIdentify(stage.id, at: stage.navigator.market)
      expect(known, isNo ? nil : stage.previous)
      #expect(stage.question == nil)
    }
  }

  @Test func `Enter answers nothing until an answer is chosen, for nobody expected the question`()
    async throws
  {
    let stage = Stage()
    await stage.keep(of: stage.previous, id: stage.id)
    try await stage.show()

    stage.question?.confirm()
    await stage.settle()

    expect(stage.question?.hasChoice, false)
    await expect(stage.places, [stage.previous.key])
    await expect(stage.store.didIdentify(stage.id, at: stage.navigator.market), stage.previous)
    stage.question?.chooseOther()
    stage.question?.confirm()
    await stage.settle()
    await expect(stage.places, [stage.navigator.market])
  }

  @Test func `an id that nobody knows is only noted`() async throws {
    let stage = Stage()

    try await stage.show()

    #expect(stage.question == nil)
    await stage.keep(of: stage.navigator.favoriteMarket)
    await expect(stage.store.didIdentify(stage.id, at: stage.previous.key)?.name, "new")
  }

  @Test func `a market that says no id is not noted`() async throws {
    let stage = Stage(saysID: false)

    try await stage.show()

    await stage.keep(of: stage.navigator.favoriteMarket)
    await expect(stage.store.didIdentify(stage.id, at: stage.previous.key), nil)
  }

  @Test func `a copy of a file that is where it was asks nothing`() async throws {
    let stage = Stage()
    await stage.keep(of: stage.previous, id: stage.id)
    stage.fake.present = [stage.previous.key]

    try await stage.show()

    #expect(stage.question == nil)
  }

  @Test func `the question waits until nothing lies over the products, and comes once`()
    async throws
  {
    let stage = Stage()
    await stage.keep(of: stage.previous, id: stage.id)
    stage.navigator.openPersonalList(.favorites)
    try await stage.show()
    #expect(stage.question == nil)

    stage.navigator.stack.closeAll()
    stage.navigator.browser.list.observers.report(.readRows([]))
    #expect(stage.question != nil)
    stage.question?.cancel()
    await stage.settle()
    stage.navigator.browser.list.observers.report(.readRows([.sample(id: 9)]))
    await stage.settle()

    #expect(stage.question == nil)
  }

  @Test func `what cannot be moved is said`() async throws {
    let stage = Stage()
    await stage.keep(of: stage.previous, id: stage.id)
    try await stage.show()
    await stage.store.close()

    stage.question?.answer(true)
    await stage.settle()

    expect(stage.navigator.notice, .hint(.favoritesNotMoved))
  }
}
