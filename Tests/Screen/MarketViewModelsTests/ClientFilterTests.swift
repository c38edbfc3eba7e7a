import Expectations
import MarketModel
import MarketViewModels
import SellingTestSupport
import TestSupport
import Testing

/// Lists of a market that does not answer all of a query: its pages are sifted.
struct ClientFilterTests {
  private let repository: GatedProductRepository
  private let browser: BrowserModel
  private static let dear = ProductQuery(price: PriceRange(minimum: 100_000_000))

  init() {
    var capabilities = RepositoryCapabilities.full
    capabilities.orders = [.newest]
    capabilities.parts = [.words]
    capabilities.scannable = [.price, .phrases, .seller]
    repository = GatedProductRepository(capabilities: capabilities, answersCancelledCalls: false)
    browser = BrowserModel(
      repository: repository, arrangement: .list, pageSize: 4, clock: ManualClock())
    browser.list.didLayOut(columns: 1, visibleRows: 2)
  }

  /// A page of the market that ends in this id; those of `finds` are dear.
  private func page(
    _ ids: ClosedRange<Int64>, finds: Set<Int64> = [], total: ProductTotal = .exactly(5_000),
    next: PagePosition?
  ) -> ProductPage {
    ProductPage(
      products: ids.reversed().map {
        .sample(id: $0, price: finds.contains($0) ? 2_000_000 : 5_000)
      }, total: total, next: next)
  }

  private func show(_ query: ProductQuery = dear) async throws {
    browser.start()
    try await repository.pages.next().answer(.sample([1]))
    await until { browser.capabilities != nil && !browser.feed.isStale }
    browser.show(query)
  }

  private var ids: [Int64] { browser.feed.head.map(\.id.rawValue) }

  @Test func `the market is asked for what it understands, in large pages, one at a time`()
    async throws
  {
    var query = Self.dear
    query.text = "mug"
    try await show(query)

    let first = try await repository.pages.next()
    expect(first.request, PageRequest(query: ProductQuery(text: "mug"), size: 100))
    first.answer(page(901...1_000, finds: [950], next: .number(2)))
    let second = try await repository.pages.next()

    expect(ids, [950])
    #expect(second.request.position == .number(2) && second.request.query.price == .any)
    expect(repository.pages.callCount, 3)
  }

  @Test func `finds come as they are found, and what was looked at is told`() async throws {
    try await show()
    try await repository.pages.next().answer(page(901...1_000, next: .number(2)))
    let second = try await repository.pages.next()
    #expect(browser.feed.scan?.looked == 100 && browser.feed.count == 0)
    #expect(browser.feed.isScanning)

    second.answer(page(801...900, next: .number(3)))
    let third = try await repository.pages.next()
    expect(browser.feed.scan?.looked, 200)
    third.answer(page(701...800, finds: [790, 710], next: .number(4)))
    await until { browser.feed.count == 2 }

    expect(ids, [790, 710])
    #expect(browser.feed.scan?.looked == 300 && browser.feed.scan?.total == .exactly(5_000))
  }

  @Test func `no more is read than the screen needs`() async throws {
    try await show()

    try await repository.pages.next().answer(
      page(901...1_000, finds: Set(901...960), next: .number(2)))
    await until { browser.feed.count == 60 }

    #expect(browser.feed.phase == .idle && !browser.feed.isScanning)
    expect(repository.pages.callCount, 2)
    for _ in 0..<45 { browser.list.move(.down) }
    try await expect(repository.pages.next().request.position, .number(2))
  }

  @Test func `at the end all finds are counted`() async throws {
    try await show()
    try await repository.pages.next().answer(page(901...1_000, finds: [950], next: .number(2)))
    try await repository.pages.next().answer(page(801...900, finds: [899, 850], next: nil))
    await until { browser.feed.phase == .ended }

    #expect(browser.feed.total == .exactly(3) && ids == [950, 899, 850])
    expect(browser.feed.scan?.looked, 200)
  }

  @Test func `it stops where somebody says so, keeps its finds and goes on from there`()
    async throws
  {
    try await show()
    try await repository.pages.next().answer(page(901...1_000, finds: [950], next: .number(2)))
    try await repository.pages.next().answer(page(801...900, next: .number(3)))
    let third = try await repository.pages.next()

    browser.list.stopScan()
    third.answer(page(701...800, finds: [750], next: .number(4)))
    browser.list.move(.down)
    await until { third.isCancelled }

    #expect(browser.feed.phase == .stopped && ids == [950])
    expect(browser.feed.scan?.looked, 200)
    #expect(repository.pages.callCount == 4 && !browser.spinner.isShown)

    browser.list.resume()
    let again = try await repository.pages.next()
    expect(again.request.position, .number(3))
    again.answer(page(701...800, finds: [750], next: .number(4)))
    await until { ids == [950, 750] }
    expect(browser.feed.scan?.looked, 300)
  }

  @Test func `where the market fails in the middle the finds stay and it goes on from there`()
    async throws
  {
    try await show()
    try await repository.pages.next().answer(page(901...1_000, finds: [950], next: .number(2)))
    try await repository.pages.next().answer(page(801...900, next: .number(3)))
    try await repository.pages.next().fail(.badAnswer(.status(404)))
    await until { browser.feed.failure != nil }
    expect(ids, [950])

    browser.retry()

    try await expect(repository.pages.next().request.position, .number(3))
    #expect(browser.feed.isScanning)
  }

  @Test func `a market that repeats itself comes to an end`() async throws {
    try await show()
    for number in 1...12 {
      try await repository.pages.next().answer(page(901...1_000, next: .number(number + 1)))
    }
    await until { browser.feed.phase == .ended }

    #expect(browser.feed.count == 0 && browser.feed.total == .exactly(0))
  }

  @Test func `a market that ends early or lies about its count is taken by what it sent`()
    async throws
  {
    try await show()
    try await repository.pages.next().answer(
      page(901...1_000, finds: [950], total: .exactly(3), next: .number(2)))
    try await repository.pages.next().answer(page(801...900, total: .exactly(3), next: nil))
    await until { browser.feed.phase == .ended }

    #expect(ids == [950] && browser.feed.scan?.looked == 200)
  }

  @Test func `where products moved to the page before that is read again`() async throws {
    try await show()
    try await repository.pages.next().answer(
      page(901...1_000, total: .exactly(400), next: .number(2)))
    try await repository.pages.next().answer(
      page(800...899, total: .exactly(399), next: .number(3)))
    let back = try await repository.pages.next()
    expect(back.request.position, .first)
    back.answer(page(900...999, finds: [900], total: .exactly(399), next: .number(2)))
    await until { ids == [900] }

    try await expect(repository.pages.next().request.position, .number(2))
  }

  @Test func `another query ends it, and what was left comes back with how far it was`()
    async throws
  {
    try await show()
    try await repository.pages.next().answer(page(901...1_000, finds: [950], next: .number(2)))
    let second = try await repository.pages.next()
    let place = browser.list.snapshot

    browser.show(ProductQuery(text: "mug"))
    await until { second.isCancelled }
    try await repository.pages.next().answer(.sample([5]))
    await until { ids == [5] }
    expect(browser.feed.scan, nil)
    browser.restore(place)

    #expect(ids == [950] && browser.feed.scan?.looked == 100)
    try await expect(repository.pages.next().request.position, .number(2))
  }

  @Test func `a refresh sifts anew, and nothing else is on its way`() async throws {
    try await show()
    try await repository.pages.next().answer(page(901...1_000, finds: [950], next: .number(2)))
    let second = try await repository.pages.next()

    browser.refresh()
    let again = try await repository.pages.next()
    await until { second.isCancelled }

    #expect(again.request.position == .first && ids == [950])
    again.answer(page(902...1_001, finds: [1_001], next: .number(2)))
    await until { ids == [1_001] }
  }

  @Test func `the end of the list is looked for page by page`() async throws {
    try await show()
    try await repository.pages.next().answer(
      page(901...1_000, finds: Set(901...960), next: .number(2)))
    await until { browser.feed.count == 60 }

    browser.list.move(.last)
    try await repository.pages.next().answer(page(801...900, finds: [805], next: nil))
    await until { browser.selected?.id.rawValue == 805 }

    expect(repository.totals.callCount, 0)
  }

  @Test func `an order that the market lacks is never made of pages`() async throws {
    try await show(ProductQuery(price: Self.dear.price, order: .cheapest))

    let call = try await repository.pages.next()

    #expect(call.request.query.order == .cheapest && call.request.query.price == Self.dear.price)
    call.fail(.unsupported)
    await until { browser.feed.failure == .unsupported }
  }

  @Test func `another seller's products are sifted, one's own are those registered from here`()
    async throws
  {
    try await show(ProductQuery(sellers: [Seller.guest.id]))

    try await expect(repository.pages.next().request.query, ProductQuery())
  }

  @Test func `where texts are looked for in names that is known`() async throws {
    try await show(ProductQuery(phrases: ["Product 95"]))
    try await repository.pages.next().answer(page(901...1_000, next: .number(2)))
    await until { ids.count == 10 }

    expect(ids, (950...959).reversed())
    expect(browser.feed.scan?.readsNames, true)
  }
}
