import Expectations
import MarketModel
import SellingTestSupport
import TestSupport
import Testing

@testable import MarketViewModels

struct ReconnectionTests {
  private let repository = GatedProductRepository(answersCancelledCalls: false)
  private let clock = ManualClock()
  private let recorder = OutageRecorder()

  /// Notes whether the market was heard again.
  private final class OutageRecorder: ListObserver {
    private(set) var returns = 0

    func didReceive(_ news: ListNews) { if case .marketAnswered = news { returns += 1 } }
  }

  /// A browser whose pauses chance does not shorten.
  private func makeBrowser(seen: (any ProductCache)? = nil) -> BrowserModel {
    let browser = BrowserModel(
      repository: repository, seen: seen, arrangement: .list, pageSize: 4, clock: clock,
      jitter: .fixed(0))
    browser.list.didLayOut(columns: 1, visibleRows: 2)
    browser.join(
      [recorder], account: nil,
      favorites: MarketFavorites(model: FavoritesModel(of: PersonalData()), market: .local))
    return browser
  }

  /// A browser of four products whose second page and first detail are awaited.
  private func browserWithTwoOnTheirWay() async throws -> BrowserModel {
    let browser = makeBrowser()
    browser.start()
    try await repository.pages.next().answer(
      .sample([9, 8, 7, 6], total: .exactly(5), next: .number(2)))
    await until { browser.feed.head.count == 4 }
    browser.detail.setShown(true, selected: browser.selected)
    return browser
  }

  /// A browser of two products whose refresh found no server.
  private func browserThatRefreshedInVain() async throws -> BrowserModel {
    let browser = makeBrowser()
    browser.start()
    try await repository.pages.next().answer(.sample([2, 1]))
    await until { browser.feed.count == 2 }
    browser.refresh()
    try await repository.pages.next().fail(.unreachable(.refused))
    await until { browser.reconnection.isNeeded }
    return browser
  }

  /// Lets so many seconds of the countdown pass.
  private func pass(_ seconds: Int) async throws {
    for _ in 0..<seconds { try await clock.sleeps(of: .seconds(1)).next().answer(()) }
  }

  @Test func `a market that does not answer is asked again after one second up to a minute`()
    async throws
  {
    let browser = makeBrowser()
    browser.start()

    for (index, pause) in [1, 2, 4, 8, 16, 32, 60, 60].enumerated() {
      try await repository.pages.next().fail(.unreachable(.refused))
      await until { browser.reconnection.phase == .waiting(seconds: pause) }
      expect(browser.reconnection.tries, index + 1)
      try await pass(pause)
    }
    try await repository.pages.next().answer(.sample([2, 1]))
    await until { browser.feed.count == 2 }

    #expect(browser.reconnection.phase == .idle && browser.reconnection.tries == 0)
    expect(recorder.returns, 1)
  }

  @Test func `what fails while a try is waited for is no further one`() async throws {
    let browser = try await browserWithTwoOnTheirWay()

    try await repository.pages.next().fail(.unreachable(.refused))
    await until { browser.reconnection.isNeeded }
    try await repository.details.next().fail(.unreachable(.timedOut))
    await until { browser.reconnection.failure == .unreachable(.timedOut) }

    expect(browser.reconnection.phase, .waiting(seconds: 1))
    expect(browser.reconnection.tries, 1)
  }

  @Test func `a page that comes asks for the detail that did not`() async throws {
    let browser = try await browserWithTwoOnTheirWay()
    try await repository.details.next().fail(.unreachable(.refused))
    await until { browser.reconnection.isNeeded }

    try await repository.pages.next().answer(.sample([5], total: .exactly(5)))
    try await repository.details.next().answer(.sample(of: .sample(id: 9)))
    await until { if case .loaded = browser.detail.phase { true } else { false } }

    #expect(!browser.reconnection.isNeeded)
  }

  @Test func `a detail that comes asks for the page that did not`() async throws {
    let browser = try await browserWithTwoOnTheirWay()
    try await repository.pages.next().fail(.unreachable(.refused))
    await until { browser.reconnection.isNeeded }

    try await repository.details.next().answer(.sample(of: .sample(id: 9)))
    try await repository.pages.next().answer(.sample([5], total: .exactly(5)))
    await until { browser.feed.head.count == 5 }

    #expect(!browser.reconnection.isNeeded)
  }

  @Test func `what is said of it is said once, and again where somebody asked`() async throws {
    let browser = try await browserThatRefreshedInVain()
    let recorder = NoticeRecorder(browser)
    expect(recorder.notices.count, 1)

    try await pass(1)
    try await repository.pages.next().fail(.unreachable(.refused))
    await until { browser.reconnection.phase == .waiting(seconds: 2) }
    expect(recorder.notices.count, 1)
    browser.retry()
    try await repository.pages.next().fail(.unreachable(.refused))
    await until { browser.reconnection.phase == .waiting(seconds: 4) }

    expect(recorder.notices.count, 2)
  }

  @Test func `rows that come again by themselves are not announced`() async throws {
    let browser = try await browserThatRefreshedInVain()

    try await pass(1)
    try await repository.pages.next().answer(.sample([3, 2, 1]))
    await until { browser.feed.count == 3 }

    expect(browser.notices.notice, .failed(.unreachable(.refused)))
  }

  @Test func `a retry asks at once and ends the countdown`() async throws {
    let browser = makeBrowser()
    browser.start()
    try await repository.pages.next().fail(.unreachable(.refused))
    let second = try await clock.sleeps(of: .seconds(1)).next()

    browser.retry()
    #expect(browser.reconnection.phase == .asking && second.isCancelled)
    try await repository.pages.next().answer(.sample([1]))
    await until { browser.feed.count == 1 }

    expect(browser.reconnection.phase, .idle)
  }

  @Test func `no server is asked earlier than it wants to be`() async throws {
    let browser = makeBrowser()
    browser.start()

    try await repository.pages.next().fail(.tooManyRequests(retryAfterSeconds: 30))
    await until { browser.reconnection.isNeeded }

    expect(browser.reconnection.phase, .waiting(seconds: 30))
  }

  @Test(arguments: [(30, 30), (3_600, 60), (0, 1)])
  func `a server in trouble is asked again when it wants to be, after a minute at the latest`(
    asked: Int, pause: Int
  ) async throws {
    let browser = makeBrowser()
    browser.start()

    try await repository.pages.next().fail(
      .badAnswer(.busy(status: 503, retryAfterSeconds: asked)))
    await until { browser.reconnection.isNeeded }

    expect(browser.reconnection.phase, .waiting(seconds: pause))
  }

  @Test(arguments: [
    RepositoryError.badAnswer(.notAMarket), .store(.damaged), .unreachable(.otherScheme),
    .badAnswer(.status(404)),
  ])
  func `what waiting does not heal is not asked again by itself`(error: RepositoryError)
    async throws
  {
    let browser = makeBrowser()
    browser.start()

    try await repository.pages.next().fail(error)
    await until { browser.feed.phase.failure != nil }

    #expect(!browser.reconnection.isNeeded)
  }

  @Test func `a page that failed comes by itself, and the place stays`() async throws {
    let browser = makeBrowser()
    browser.start()
    try await repository.pages.next().answer(
      .sample([9, 8, 7, 6], total: .exactly(5), next: .number(2)))
    await until { browser.feed.head.count == 4 }
    browser.list.select(2)
    try await repository.pages.next().fail(.unreachable(.timedOut))
    await until { browser.reconnection.isNeeded }

    try await pass(1)
    try await repository.pages.next().answer(.sample([5], total: .exactly(5)))
    await until { browser.feed.head.count == 5 }

    expect(browser.selected?.id.rawValue, 7)
    expect(recorder.returns, 1)
  }

  @Test func `a detail that failed comes by itself`() async throws {
    let browser = makeBrowser()
    browser.start()
    try await repository.pages.next().answer(.sample([9]))
    await until { browser.feed.count == 1 }
    browser.detail.setShown(true, selected: browser.selected)
    try await repository.details.next().fail(.unreachable(.disconnected))
    await until { browser.reconnection.isNeeded }

    try await pass(1)
    try await repository.details.next().answer(.sample(of: .sample(id: 9)))
    await until { if case .loaded = browser.detail.phase { true } else { false } }

    #expect(!browser.reconnection.isNeeded)
    expect(repository.pages.callCount, 1)
  }

  @Test func `what was seen earlier stays until the market answers, and is renewed then`()
    async throws
  {
    let browser = makeBrowser(seen: SeenProducts(page: .sample([9, 8, 7, 6])))
    browser.start()
    try await repository.pages.next().fail(.unreachable(.refused))
    await until { browser.reconnection.isNeeded }
    browser.list.select(2)

    try await pass(1)
    try await repository.pages.next().fail(.unreachable(.refused))
    await until { browser.reconnection.phase == .waiting(seconds: 2) }
    expect(browser.feed.seenAt, 1_000)
    expect(browser.selected?.id.rawValue, 7)
    try await pass(2)
    try await repository.pages.next().answer(.sample([10, 9, 8, 7]))
    await until { browser.feed.seenAt == nil }

    expect(browser.feed.head.map(\.id.rawValue), [10, 9, 8, 7])
    expect(browser.selected?.id.rawValue, 7)
  }

  @Test(arguments: [ProductOrder.newest, .cheapest])
  func `a search that nobody answers finds what was seen, until the market answers`(
    order: ProductOrder
  ) async throws {
    let seen: [Product] = [
      .sample(id: 5, name: "Mug", price: 3_000), .sample(id: 7, name: "mug, blue", price: 4_000),
      .sample(id: 6, name: "Lamp"), .sample(id: 8, name: "Mug", price: 1_000, stock: 0),
    ]
    let browser = makeBrowser(seen: SeenProducts(products: seen))
    browser.start()
    try await repository.pages.next().answer(.sample([8, 7, 6, 5]))
    await until { browser.feed.count == 4 }
    let query = ProductQuery(text: "mug", order: order)

    browser.show(query)
    try await repository.pages.next().fail(.unreachable(.refused))
    await until { browser.feed.seenCount != nil }
    let found = browser.feed.head.map(\.id.rawValue)
    let shown = browser.feed.shownQuery
    try await pass(1)
    try await repository.pages.next().answer(.sample([20, 7]))
    await until { browser.feed.seenAt == nil }

    expect(found, order == .newest ? [8, 7, 5] : [5, 7, 8])
    expect(shown, query)
    expect(browser.feed.head.map(\.id.rawValue), [20, 7])
    expect(browser.feed.seenCount, nil)
  }

  @Test func `while the market is silent a further search finds at once`() async throws {
    let browser = makeBrowser(seen: SeenProducts(products: [.sample(id: 5, name: "Mug")]))
    browser.start()
    try await repository.pages.next().fail(.unreachable(.refused))
    await until { browser.reconnection.isNeeded }

    browser.show(ProductQuery(text: "mug"))
    _ = try await repository.pages.next()
    await until { browser.feed.seenCount == 1 }
    browser.show(ProductQuery(text: "lamp"))
    _ = try await repository.pages.next()
    await until { browser.feed.shownQuery.text == "lamp" }

    expect(browser.feed.count, 0)
    expect(browser.feed.seenCount, 1)
  }

  @Test func `where a search takes long what was seen is searched meanwhile`() async throws {
    let seen: [Product] = [.sample(id: 6, name: "Lamp"), .sample(id: 5, name: "Mug")]
    let browser = makeBrowser(seen: SeenProducts(products: seen))
    browser.start()
    _ = try await clock.sleeps(of: .milliseconds(150)).next()
    try await repository.pages.next().answer(.sample([6, 5]))
    await until { browser.feed.count == 2 }
    let query = ProductQuery(text: "mug")

    browser.show(query)
    let search = try await repository.pages.next()
    try await clock.sleeps(of: .milliseconds(150)).next().answer(())
    try await clock.sleeps(of: .seconds(4)).next().answer(())
    await until { browser.feed.seenCount == 2 }
    let shown = (browser.feed.shownQuery, browser.feed.head.map(\.id.rawValue))
    search.answer(.sample([9, 5]))
    await until { browser.feed.seenCount == nil }

    #expect(shown == (query, [5]))
    expect(browser.feed.head.map(\.id.rawValue), [9, 5])
  }

  @Test func `where nothing was seen a search fails as any page does`() async throws {
    let browser = makeBrowser(seen: SeenProducts())
    browser.start()
    try await repository.pages.next().answer(.sample([2, 1]))
    await until { browser.feed.count == 2 }

    browser.show(ProductQuery(text: "mug"))
    try await repository.pages.next().fail(.unreachable(.refused))
    await until { browser.feed.phase.failure != nil }

    #expect(browser.feed.isStale && browser.feed.seenCount == nil)
  }

  @Test func `going back from a search that failed needs no market`() async throws {
    let browser = makeBrowser()
    browser.start()
    try await repository.pages.next().answer(.sample([2, 1]))
    await until { browser.feed.count == 2 }
    browser.show(ProductQuery(text: "mug"))
    try await repository.pages.next().fail(.unreachable(.refused))
    await until { browser.feed.phase.failure != nil }
    #expect(browser.feed.shownQuery.text.isEmpty)

    browser.showAll()

    #expect(!browser.feed.isStale)
    #expect(browser.feed.query.text.isEmpty)
    expect(browser.feed.phase, .ended)
    expect(repository.pages.callCount, 2)
  }

  @Test func `nothing waits while the market answers`() async throws {
    let browser = makeBrowser()
    browser.start()
    try await repository.pages.next().answer(.sample([2, 1]))
    await until { browser.feed.count == 2 }

    expect(clock.sleeps(of: .seconds(1)).callCount, 0)
    expect(browser.reconnection.phase, .idle)
  }
}
