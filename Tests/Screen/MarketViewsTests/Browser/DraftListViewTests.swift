import EditorKit
import Expectations
import MarketModel
import MarketStrings
import MarketViewModels
import MarketViews
import SellingTestSupport
import TerminalKit
import TestSupport
import Testing

/// The drafts above the seller's own products.
struct DraftListViewTests {
  private static func draft(_ name: String, _ target: Draft.Target, hours: Int64) -> Draft {
    var values = FormValues()
    values[.name] = name
    return Draft(
      id: Draft.ID(rawValue: name), target: target, key: IdempotencyKey(rawValue: name),
      values: values, changed: Timestamp(seconds: Stage.now.seconds - hours * 3_600))
  }

  /// The own products with two drafts above them.
  private func stage(_ arrangement: BrowserModel.Arrangement = .list) async throws -> Stage {
    let stage = Stage(
      arrangement, sells: true,
      drafts: FakeDrafts([
        Self.draft("로드 자전거", .registration, hours: 1),
        Self.draft("Camera", .edit(Product.ID(rawValue: 2)), hours: 30),
      ]))
    let start = Task.immediate { await stage.navigator.selling?.start() }
    let me = Seller(id: Seller.ID(rawValue: 7), name: "하나")
    try await stage.repository.sellers.next().answer(me)
    await start.value
    try await stage.show(Product.samples([3, 2, 1]))
    stage.press("m")
    try await stage.answerOwn(.sample([2]))
    await until { stage.navigator.draftList != nil && stage.browser.feed.head.count == 1 }
    return stage
  }

  @Test func `a short name leaves its room to what a draft is`() async throws {
    let stage = try await stage()

    expect(stage.lines(40, 12)[1], "▌ 로드 자전거 등록 임시 저장 · 1시간 전")
  }

  @Test(arguments: [BrowserModel.Arrangement.grid, .list])
  func `the selection goes down to the products and up again`(
    arrangement: BrowserModel.Arrangement
  ) async throws {
    let stage = try await stage(arrangement)

    stage.press("j", "j")
    expect(stage.navigator.draftList?.selected, nil)
    stage.press("k")
    expect(stage.navigator.draftList?.selected, 1)
    stage.press("g")
    expect(stage.navigator.draftList?.selected, 0)
  }

  @Test func `a click selects a draft and a second one opens it`() async throws {
    let stage = try await stage()

    stage.click(4, 2)
    expect(stage.navigator.draftList?.selected, 1)
    stage.click(4, 1)
    stage.click(4, 1)
    await until { stage.form != nil }

    expect(stage.form?.name.text, "로드 자전거")
  }

  @Test func `all products stand without drafts`() async throws {
    let stage = try await stage()

    stage.press("m")
    try await stage.repository.pages.next().answer(.sample([3, 2, 1]))
    await until { stage.browser.feed.head.count == 3 }

    #expect(stage.navigator.draftList == nil)
    #expect(stage.lines(60, 12)[1].hasPrefix("▌ Product 3"))
  }

  @Test func `questions stand above the drafts, with their number, and Enter opens the product`()
    async throws
  {
    let stage = try await stage()
    let markets = Markets(stage.navigator)
    let fake = FakeMarkets([], behind: markets, clock: stage.clock)
    fake.accounts[.local] = SellerAccount(identifier: SellerIdentifier(secret: "me"))
    var news = QuestionNews(market: .local, location: nil, tellsAll: false)
    news.received = [2, 1].map { id in
      Question(
        id: Question.ID(rawValue: id), product: Product.ID(rawValue: 3), text: "Is it there?",
        offer: id == 2 ? Money(hundredths: 9_000_00, currency: .krw) : nil,
        asker: id == 2 ? "Mina" : nil,
        asked: Timestamp(seconds: Stage.now.seconds - 3_600 * (4 - id)))
    }
    news.products = [Product.ID(rawValue: 3): .sample(id: 3, name: "Road bike")]

    stage.press("r")
    try await stage.answerOwn(.sample([2]))
    try await fake.questions(of: "local").next().answer(news)
    await until { stage.navigator.draftList?.questions.count == 2 }
    let lines = stage.lines(80, 30, .english)
    stage.press("g")

    expect(lines[1], "  Unanswered (2)")
    #expect(
      lines[2].hasPrefix("  Mina: Is it there?")
        && lines[2].hasSuffix("Road bike · ₩9,000 · Local market · 2h"))
    #expect(lines[3].hasPrefix("  guest: Is it there?") && lines[4].hasPrefix("▌ 로드 자전거"))
    expect(stage.navigator.draftList?.selectedQuestion?.question.id.rawValue, 2)
    stage.press(.enter)
    try await stage.repository.details.next().answer(.sample(of: .sample(id: 3)))
    await until { stage.browser.detail.product?.id.rawValue == 3 }
  }
}
