import MarketModel
import SafeTextKit
import SellingTestSupport
import TestSupport
import Testing

@testable import MarketViewModels

/// A market that says that it is one which the person knows from another address.
@Suite(.timeLimit(.minutes(1))) struct MarketRelocationTests {
  /// A server at a new address, whose market has an id.
  private struct Stage {
    let repository = GatedProductRepository(answersCancelledCalls: false)
    let store = FakePersonalStore()
    let navigator: Navigator
    let markets: Markets
    let fake: FakeMarkets
    let id = MarketID.random()
    let former = FavoriteMarket(
      key: MarketKey(rawValue: "file-/old"), name: "old", location: "/old.sqlite")

    init(saysID: Bool = true) {
      let program = ProgramState()
      program.personal = store
      let clock = ManualClock()
      navigator = Navigator(
        browser: BrowserModel(
          repository: repository, arrangement: .list, pageSize: 4, clock: clock),
        gallery: PictureGallery(loader: NoPictures()), marketName: "new",
        marketAddress: "http://new/", clock: clock, market: MarketKey(rawValue: "server-new"),
        identity: Identity(id: saysID ? id : nil), program: program,
        now: { Timestamp(seconds: 0) })
      markets = Markets(navigator, of: FakeMarkets.server("new"))
      fake = FakeMarkets([], on: navigator, clock: clock)
      markets.probe = fake
      navigator.browser.didLayOut(columns: 1, visibleRows: 3)
    }

    /// Shows the first page, until nothing happens any more.
    func show() async {
      navigator.start()
      await repository.pages.next().answer(.sample([9, 8]))
      await settle()
    }

    func settle() async { for _ in 0..<300 { await Task.yield() } }

    var question: QuestionModel? { navigator.stack.first(QuestionModel.self) }
  }

  private struct Identity: IdentifiedMarket {
    let id: MarketID?
    func marketID() async throws(RepositoryError) -> MarketID? { id }
  }

  @Test func `a yes moves what is kept, and nothing is asked of the market for it`() async {
    let stage = Stage()
    await stage.store.know(stage.id, from: stage.former)
    await stage.show()
    let question = stage.question
    #expect(question?.subject == .relocation(former: "old"))

    question?.answer(true)
    await stage.settle()

    #expect(await stage.store.acquaintances.moved == ["file-/old to server-new"])
    #expect(stage.navigator.notice == .hint(.favoritesMoved))
    #expect(stage.question == nil)
    #expect(stage.repository.pages.callCount == 1)
    #expect(stage.repository.details.callCount == 0)
  }

  /// A stage on which an earlier version kept this market and another one as one.
  private func sharingStage() async -> (stage: Stage, past: LegacySharedData) {
    let stage = Stage(saysID: false)
    let past = LegacySharedData(
      former: MarketKey(rawValue: "server-http---new-"),
      others: [MarketKey(rawValue: "http://other/")])
    await stage.store.share(past, of: stage.navigator.market)
    await stage.show()
    return (stage, past)
  }

  @Test(arguments: [(true, "server-new"), (false, "http://other/")])
  func `what was kept for two markets goes with its drafts where one says`(
    isHere: Bool, location: String
  ) async {
    let (stage, _) = await sharingStage()
    #expect(stage.question?.subject == .legacySharedData(other: "http://other/"))

    stage.question?.answer(isHere)
    await stage.settle()

    #expect(await stage.store.acquaintances.moved == ["server-http---new- to \(location)"])
    #expect(stage.fake.movedDrafts == ["server-http---new- to \(location)"])
    #expect(stage.question == nil && stage.fake.takenDrafts.isEmpty)
  }

  @Test func `Esc leaves it for another time, and Enter chooses nothing by itself`() async {
    let (stage, _) = await sharingStage()

    stage.question?.confirm()
    #expect(stage.question != nil)
    stage.question?.cancel()
    await stage.settle()

    #expect(await stage.store.acquaintances.moved.isEmpty)
    #expect(stage.fake.movedDrafts.isEmpty)
  }

  @Test func `where nothing was shared the market's drafts are its own`() async {
    let stage = Stage(saysID: false)

    await stage.show()

    #expect(stage.question == nil && stage.fake.takenDrafts == [stage.navigator.market])
  }

  @Test func `a no is remembered, and Esc leaves it for another time`() async {
    for isNo in [true, false] {
      let stage = Stage()
      await stage.store.know(stage.id, from: stage.former)
      await stage.show()

      if isNo { stage.question?.answer(false) } else { stage.question?.cancel() }
      await stage.settle()

      #expect(await stage.store.acquaintances.moved.isEmpty)
      #expect(await stage.store.acquaintances.declined.count == (isNo ? 1 : 0))
      #expect(stage.question == nil)
    }
  }

  @Test func `Enter answers nothing until an answer is chosen, for nobody expected the question`()
    async
  {
    let stage = Stage()
    await stage.store.know(stage.id, from: stage.former)
    await stage.show()

    stage.question?.confirm()
    await stage.settle()

    #expect(stage.question?.hasChoice == false)
    #expect(await stage.store.acquaintances.moved.isEmpty)
    #expect(await stage.store.acquaintances.declined.isEmpty)
    stage.question?.chooseOther()
    stage.question?.confirm()
    await stage.settle()
    #expect(await stage.store.acquaintances.moved.count == 1)
  }

  @Test func `an id that nobody knows is only noted`() async {
    let stage = Stage()

    await stage.show()

    #expect(stage.question == nil)
    #expect(await stage.store.acquaintances.met == ["server-new \(stage.id.text)"])
  }

  @Test func `a market that says no id is not noted`() async {
    let stage = Stage(saysID: false)

    await stage.show()

    #expect(await stage.store.acquaintances.met.isEmpty)
  }

  @Test func `a copy of a file that is where it was asks nothing`() async {
    let stage = Stage()
    await stage.store.know(stage.id, from: stage.former)
    stage.fake.present = [stage.former.key]

    await stage.show()

    #expect(stage.question == nil)
  }

  @Test func `the question waits until nothing lies over the products, and comes once`() async {
    let stage = Stage()
    await stage.store.know(stage.id, from: stage.former)
    stage.navigator.openFavorites()
    await stage.show()
    #expect(stage.question == nil)

    stage.navigator.stack.closeAll()
    stage.navigator.didShow([])
    #expect(stage.question != nil)
    stage.question?.cancel()
    stage.navigator.didShow([.sample(id: 9)])
    await stage.settle()

    #expect(stage.question == nil)
  }

  @Test func `what cannot be moved is said`() async {
    let stage = Stage()
    await stage.store.know(stage.id, from: stage.former)
    await stage.show()
    await stage.store.fill()

    stage.question?.answer(true)
    await stage.settle()

    #expect(stage.navigator.notice == .hint(.favoritesNotMoved))
  }
}
