import Expectations
import MarketModel
import PersonalStore
import SafeTextKit
import SellingTestSupport
import TestSupport
import Testing

@testable import MarketViewModels

/// Questions to be answered, over all markets, and what is told of them.
struct UnansweredQuestionsTests {
  /// The own products of a local market, with the servers `a` and `b` beside it.
  private final class Stage {
    let clock = ManualClock()
    let repository = GatedProductRepository()
    let store = PersonalFile.inMemory()
    let navigator: Navigator
    let markets: Markets
    let fake: FakeMarkets
    let engine: AlertScheduler
    private(set) var told: [TriggeredAlert] = []

    /// Creates accounts in these markets; `isKnownHere` says whether the local market knows the seller.
    init(sellingIn sellers: String..., isKnownHere: Bool = true) async throws {
      let program = ProgramState()
      program.personal = store
      let accounts = FakeAccounts()
      var account = SellerAccount(identifier: SellerIdentifier(secret: "me"))
      if isKnownHere { account.seller = Seller(id: Seller.ID(rawValue: 7), name: "Hana") }
      await accounts.save(account)
      navigator = Navigator(
        browser: BrowserModel(
          repository: repository, arrangement: .list, pageSize: 4, clock: clock, jitter: .fixed(0)),
        gallery: PictureGallery(loader: NoPictures()), marketName: nil,
        selling: .sample(repository, accounts: accounts, clock: clock), clock: clock,
        program: program, now: { Timestamp(seconds: 0) })
      markets = Markets(navigator)
      fake = FakeMarkets(["a", "b"], behind: markets, clock: clock)
      for seller in sellers {
        fake.accounts[MarketKey(rawValue: seller)] = SellerAccount(
          identifier: SellerIdentifier(secret: "me"), isMadeHere: true)
      }
      engine = AlertScheduler(
        markets, store: store, attention: UserPresence(), clock: clock, jitter: .fixed(0))
      program.alerts = engine
      engine.announce = { [weak self] in self?.told += $0 }
      await navigator.selling?.start()
      navigator.browser.start()
      try await repository.pages.next().answer(.sample([2, 1]))
      await until {
        !self.navigator.browser.feed.isStale && self.navigator.browser.capabilities != nil
      }
    }

    /// Shows the own products, none of which are here.
    func showOwn() async throws {
      navigator.toggleMyProducts()
      for _ in 0..<3 { try await repository.pages.next().answer(.nothing) }
      await until { !self.navigator.browser.feed.isStale }
    }

    func answer(_ market: String, _ ids: Int64...) async throws {
      try await fake.questions(of: market).next().answer(.sample(ids, in: market))
    }

    var shown: [String] {
      markets.unanswered.items.map { "\($0.question.id.rawValue) \($0.market.key.rawValue)" }
    }
  }

  @Test func `the own products show what is asked in all markets in which one sells, newest first`()
    async throws
  {
    let stage = try await Stage(sellingIn: "local", "server-b")

    try await stage.showOwn()
    try await stage.answer("local", 3, 1)
    try await stage.answer("server-b", 2)
    await until { stage.navigator.draftList?.questions.count == 3 }

    expect(stage.shown, ["3 local", "2 server-b", "1 local"])
    expect(stage.navigator.draftList?.questions.map(\.productName), ["Bike", "Bike", "Bike"])
    expect(stage.fake.questions(of: "server-a").callCount, 0)
  }

  @Test func `a market that does not answer leaves its part out and says so`() async throws {
    let stage = try await Stage(sellingIn: "local", "server-b")
    try await stage.showOwn()
    try await stage.answer("local", 3)
    try await stage.answer("server-b", 2)
    await until { stage.shown.count == 2 }

    stage.navigator.browser.refresh()
    for _ in 0..<3 { try await stage.repository.pages.next().answer(.nothing) }
    try await stage.answer("local", 3)
    try await stage.fake.questions(of: "server-b").next().fail(.unreachable(.timedOut))

    await until {
      stage.navigator.notice == .elsewhere(.failed(.unreachable(.timedOut)), market: "b")
    }
    expect(stage.shown, ["3 local"])
  }

  @Test func `what is asked at the start is told, and once for all looks`() async throws {
    let stage = try await Stage(sellingIn: "server-a")
    stage.engine.start()
    try await stage.clock.sleeps(of: .seconds(1)).next().answer(())
    try await stage.answer("server-a", 2, 1)
    await until { stage.engine.unseen == 1 }

    try await stage.showOwn()
    try await stage.answer("server-a", 3, 2, 1)
    await until { stage.engine.unseen == 2 }

    expect(stage.told.map(\.count), [2, 1])
    expect(stage.told.map(\.event), [.asked(by: "Mina"), .asked(by: "Mina")])
  }

  @Test(
    arguments: [
      (.asked, 7, true), (.asked, 8, false), (.deleted, 7, true), (.answered, 8, true),
    ] as [(QuestionChange.Kind, Int64, Bool)])
  func `news of own questions are looked at soon, once for a burst, and others are not`(
    kind: QuestionChange.Kind, seller: Int64, isAsked: Bool
  ) async throws {
    let stage = try await Stage(sellingIn: "local")

    for id in 1...3 {
      let change = QuestionChange(
        id: Question.ID(rawValue: Int64(id)), product: Product.ID(rawValue: 2), kind: kind,
        seller: Seller.ID(rawValue: seller))
      stage.navigator.browser.list.observers.report(.changed([.question(change)]))
    }
    guard isAsked else {
      for _ in 0..<20 { await Task.yield() }
      return expect(stage.clock.sleeps(of: .milliseconds(500)).callCount, 0)
    }
    try await stage.clock.sleeps(of: .milliseconds(500)).next().answer(())
    try await stage.answer("local", 3, 2)
    await until { stage.engine.unseen == 1 }

    #expect(stage.told.map(\.count) == [2] && stage.shown.count == 2)
    expect(stage.fake.questions(of: "local").callCount, 1)
  }

  @Test(arguments: [(8, true), (9, false)])
  func `an answer to what was asked from here is looked at, and one to a stranger is not`(
    id: Int64, isAsked: Bool
  ) async throws {
    let stage = try await Stage(sellingIn: "local")
    let looking = Task { await stage.markets.unanswered.check(in: stage.markets) }
    var news = QuestionNews.sample([], in: "local")
    news.awaited = [Question.ID(rawValue: 8)]
    try await stage.fake.questions(of: "local").next().answer(news)
    await looking.value

    let change = QuestionChange(
      id: Question.ID(rawValue: id), product: Product.ID(rawValue: 2), kind: .answered,
      seller: Seller.ID(rawValue: 8))
    stage.navigator.browser.list.observers.report(.changed([.question(change)]))
    for _ in 0..<20 { await Task.yield() }

    expect(stage.clock.sleeps(of: .milliseconds(500)).callCount, isAsked ? 1 : 0)
  }

  @Test func `what was asked here is looked for, so that its answer is awaited`() async throws {
    let stage = try await Stage(sellingIn: "local")

    stage.navigator.didFinish(.question(.asked, .sample(8), nil))
    try await stage.clock.sleeps(of: .milliseconds(500)).next().answer(())
    try await stage.answer("local")

    expect(stage.fake.questions(of: "local").callCount, 1)
  }

  @Test func `who sells nothing here sees what is asked elsewhere`() async throws {
    let stage = try await Stage(sellingIn: "server-a", isKnownHere: false)
    let looking = Task { await stage.markets.unanswered.check(in: stage.markets) }
    try await stage.answer("server-a", 4)
    _ = await looking.value

    stage.navigator.toggleMyProducts()
    await until { !stage.navigator.browser.feed.isStale }

    #expect(stage.navigator.showsMine)
    expect(stage.navigator.draftList?.selectedQuestion?.question.id.rawValue, 4)
  }

  @Test func `a question leads to its product in its market`() async throws {
    let stage = try await Stage(sellingIn: "server-a")
    try await stage.showOwn()
    try await stage.answer("server-a", 4)
    await until { stage.navigator.draftList != nil }
    stage.navigator.selling?.drafts.move { $0.enter(at: 0) }

    stage.navigator.openQuestion()
    await until { stage.fake.repositories[MarketKey(rawValue: "server-a")] != nil }
    let there = stage.fake.repositories[MarketKey(rawValue: "server-a")]
    try await there?.details.next().answer(.sample(of: .sample(id: 5)))

    await until { stage.markets.current.browser.detail.product?.id.rawValue == 5 }
    expect(stage.markets.current.market.rawValue, "server-a")
  }

  @Test func `the selection stays on its question or draft while others come and go`() {
    var shelf = DraftListState()
    func items(_ ids: Int64...) -> [UnansweredQuestions.Item] {
      ids.map { id in
        UnansweredQuestions.Item(
          market: KnownMarket(key: .local, name: nil, location: .local), question: .sample(id),
          productName: "")
      }
    }
    let draft = Draft(
      id: Draft.ID(rawValue: "1"), target: .registration, key: IdempotencyKey(rawValue: "1"),
      values: FormValues(), changed: Timestamp(seconds: 0))
    shelf.replace(with: [draft])
    shelf.enter(at: 0)

    shelf.replace(with: items(2, 1))
    #expect(shelf.selectedDraft == draft && shelf.lines == 4)
    shelf.move(by: -1)
    expect(shelf.selectedQuestion?.question.id.rawValue, 1)
    shelf.replace(with: items(3, 2, 1))
    expect(shelf.selectedQuestion?.question.id.rawValue, 1)
    shelf.replace(with: items(3, 2))
    expect(shelf.selectedDraft, draft)
    shelf.replace(with: [Draft]())
    expect(shelf.selectedQuestion?.question.id.rawValue, 2)
    shelf.replace(with: items())
    #expect(shelf.selected == nil && shelf.lines == 0)
  }
}

extension Question {
  fileprivate static func sample(_ id: Int64) -> Question {
    Question(
      id: ID(rawValue: id), product: Product.ID(rawValue: 5), text: "Is it still there?",
      asker: "Mina", asked: Timestamp(seconds: id))
  }
}

extension QuestionNews {
  fileprivate static func sample(_ ids: [Int64], in market: String) -> QuestionNews {
    var news = QuestionNews(market: MarketKey(rawValue: market), location: nil, tellsAll: true)
    news.received = ids.map(Question.sample)
    news.products = [Product.ID(rawValue: 5): .sample(id: 5, name: "Bike")]
    return news
  }
}
