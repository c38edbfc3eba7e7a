import Expectations
import MarketModel
import SellingTestSupport
import TestSupport
import Testing

@testable import MarketViewModels

struct LiveMarketTests {
  private let market = WatchedBrowser()

  private var browser: BrowserModel { market.browser }

  private func ids(_ numbers: Int64...) -> [Product.ID] {
    numbers.map { Product.ID(rawValue: $0) }
  }

  // MARK: Following

  @Test(arguments: [true, false])
  func `a market is followed once its first page came, or did not`(comes: Bool) async throws {
    browser.start()
    let page = try await market.pages.next()
    await market.settle()
    expect(market.changes.cursors, [])

    if comes {
      page.answer(ProductPage(products: Product.samples([9]), total: .exactly(1), next: nil))
    } else {
      page.fail(.unreachable(.timedOut))
    }
    await market.settle()

    expect(market.changes.cursors, [nil])
  }

  // MARK: Changed rows

  @Test func `rows that changed are read in one request, and change where they stand`() async throws
  {
    try await market.show(Product.samples([9, 8, 7]))
    browser.list.move(.down)

    market.changes.tell(.sample(.changed, 8), .sample(.changed, 7))
    let question = try await market.question()
    question.answer(
      ProductPage(
        products: [.sample(id: 8, name: "Lamp"), .sample(id: 7)], total: .exactly(2), next: nil))
    await until { market.news(of: 8) == .changed }

    expect(question.request.query, ProductQuery(ids: ids(8, 7)))
    expect(market.rows, [9, 8, 7])
    expect(browser.selected?.product.name, "Lamp")
    expect(market.news(of: 7), nil)
  }

  @Test func `what others reserve is told once, and stays where it is in a list of what is free`()
    async throws
  {
    let news = ReservationRecorder()
    browser.list.observers.add([news])
    let products = [Product.sample(id: 9, stock: 1), .sample(id: 8, stock: 1)]
    try await market.show(products)
    browser.show(ProductQuery(filters: [.available]))
    try await market.pages.next().answer(
      ProductPage(products: products, total: .exactly(2), next: nil))
    await market.settle()
    var reserved = Product.sample(id: 8, stock: 1)
    reserved.isReserved = true

    for price: Int64 in [100, 200] {
      reserved.pricing = Product.sample(id: 8, price: price).pricing
      market.changes.tell(.sample(.changed, 8))
      try await market.question().answer(
        ProductPage(products: [reserved], total: .exactly(1), next: nil))
      await market.settle()
    }

    #expect(market.rows == [9, 8] && market.news(of: 8) == .changed)
    expect(news.told, [[8]])
  }

  @Test func `a mark goes after four seconds`() async throws {
    try await market.show(Product.samples([9, 8]))
    market.changes.tell(.sample(.changed, 9))
    try await market.question().answer(
      ProductPage(products: [.sample(id: 9, stock: 1)], total: .exactly(1), next: nil))
    await until { market.news(of: 9) == .changed }

    try await market.clock.sleeps(of: WatchedBrowser.markTime).next().answer(())
    await until { market.news(of: 9) == nil }

    expect(market.rows, [9, 8])
  }

  @Test func `a row stays where it is also where the order would place it elsewhere`() async throws
  {
    try await market.show([.sample(id: 9, price: 100), .sample(id: 8, price: 200)])

    market.changes.tell(.sample(.changed, 9))
    try await market.question().answer(
      ProductPage(products: [.sample(id: 9, price: 900)], total: .exactly(1), next: nil))
    await until { market.news(of: 9) == .changed }

    expect(market.rows, [9, 8])
  }

  @Test func `a row that changed out of sight is read when it comes to the screen`() async throws {
    try await market.show(Product.samples([9, 8, 7, 6, 5, 4]))

    market.changes.tell(.sample(.changed, 4))
    await market.settle()
    let before = market.clock.sleeps(of: WatchedBrowser.jitter).untakenCount
    browser.list.move(.last)
    let question = try await market.question()

    expect(before, 0)
    expect(question.request.query.ids, ids(4))
  }

  @Test func `what this program changed itself is neither asked for nor marked`() async throws {
    try await market.show(Product.samples([9, 8]))

    browser.didChange(
      .sample(of: .sample(id: 9, name: "Mine"), version: ProductVersion(rawValue: "2")))
    market.changes.tell(.sample(.changed, 9, version: "2"))
    await market.settle()

    expect(market.clock.sleeps(of: WatchedBrowser.jitter).untakenCount, 0)
    expect(market.news(of: 9), nil)
  }

  @Test(
    arguments: [
      // What the answer to the edit says, and what the log says; a market may know no versions.
      ("2.k3x9", "2"), ("2", "2"), (nil, "2"), (nil, nil), ("2", nil),
    ])
  func `one's own change is known however its versions are told`(answer: String?, log: String?)
    async throws
  {
    try await market.show(Product.samples([9, 8]))

    browser.didChange(
      .sample(
        of: .sample(id: 9, name: "Mine"), version: answer.map(ProductVersion.init(rawValue:))))
    market.changes.tell(.sample(.changed, 9, version: log))
    await market.settle()

    expect(market.clock.sleeps(of: WatchedBrowser.jitter).untakenCount, 0)
  }

  @Test(arguments: [("2.k3x9", "3"), (nil, nil)])
  func `what others change after that is theirs`(answer: String?, log: String?) async throws {
    try await market.show(Product.samples([9, 8]))
    browser.didChange(
      .sample(
        of: .sample(id: 9, name: "Mine"), version: answer.map(ProductVersion.init(rawValue:))))
    market.changes.tell(.sample(.changed, 9, version: answer == nil ? nil : "2"))
    await market.settle()

    market.changes.tell(.sample(.changed, 9, version: log))

    let question = try await market.question()
    expect(question.request.query.ids, ids(9))
  }

  @Test func `another name of a seller comes without a mark`() async throws {
    let seller = Seller(id: Seller.ID(rawValue: 3), name: "Kim")
    try await market.show([.sample(id: 9, seller: seller), .sample(id: 8)])

    market.changes.tell(.seller(seller.id))
    let question = try await market.question()
    let renamed = Seller(id: seller.id, name: "Lee")
    question.answer(
      ProductPage(products: [.sample(id: 9, seller: renamed)], total: .exactly(1), next: nil))
    await until { browser.feed.head[0].product.seller.name == "Lee" }

    expect(question.request.query.ids, ids(9))
    expect(market.news(of: 9), nil)
  }

  @Test func `only one question is on its way, and what changes meanwhile is in the next`()
    async throws
  {
    try await market.show(Product.samples([9, 8, 7]))
    market.changes.tell(.sample(.changed, 9))
    let first = try await market.question()

    for _ in 0..<500 { market.changes.tell(.sample(.changed, 9), .sample(.changed, 8)) }
    await market.settle()
    let asked = market.pages.untakenCount
    first.answer(ProductPage(products: [.sample(id: 9, stock: 1)], total: .exactly(1), next: nil))
    let second = try await market.question(after: WatchedBrowser.restAndJitter)

    expect(asked, 0)
    expect(second.request.query.ids, ids(9, 8))
  }

  @Test func `an answer that comes after another query was asked changes nothing`() async throws {
    try await market.show(Product.samples([9, 8]))
    market.changes.tell(.sample(.changed, 9))
    let late = try await market.question()

    browser.show(ProductQuery(text: "p"))
    try await market.pages.next().answer(
      ProductPage(products: [.sample(id: 9, name: "Newest")], total: .exactly(1), next: nil))
    await until { !browser.feed.isStale }
    late.answer(
      ProductPage(products: [.sample(id: 9, name: "Old")], total: .exactly(1), next: nil))
    await market.settle()

    expect(browser.selected?.product.name, "Newest")
    expect(market.news(of: 9), nil)
  }

  @Test func `a market that cannot be asked by number is asked for the page`() async throws {
    var capabilities = RepositoryCapabilities.full
    capabilities.parts = [.words]
    let market = WatchedBrowser(capabilities)
    try await market.show(Product.samples([9, 8, 7]))

    market.changes.tell(.sample(.changed, 8))
    let question = try await market.question()
    question.answer(
      ProductPage(
        products: [.sample(id: 10), .sample(id: 9), .sample(id: 8, name: "Lamp")],
        total: .exactly(3), next: nil))
    await until { market.news(of: 8) == .changed }

    expect(question.request, PageRequest(query: ProductQuery(), position: .first, size: 4))
    expect(market.rows, [9, 8, 7])
  }

  // MARK: New ones

  @Test func `new products wait, and taking them keeps the selected one`() async throws {
    try await market.show(Product.samples([9, 8]))

    market.changes.tell(.sample(.listed, 10), .sample(.listed, 11))
    await until { market.live.pendingProducts.count == 2 }
    let before = market.rows
    browser.takeNewcomers()
    try await market.pages.next().answer(.sample([11, 10, 9, 8]))
    await until { market.rows.count == 4 }

    expect(before, [9, 8])
    expect(browser.selected?.id.rawValue, 9)
    #expect(market.live.pendingProducts.isEmpty)
  }

  @Test func `a new product that is deleted again waits no more`() async throws {
    try await market.show(Product.samples([9]))

    market.changes.tell(.sample(.listed, 10))
    await until { market.live.pendingProducts.count == 1 }
    market.changes.tell(.sample(.deleted, 10, version: nil))
    await until { market.live.pendingProducts.isEmpty }

    expect(market.rows, [9])
  }

  @Test func `no more than 99 new ones are counted`() async throws {
    try await market.show(Product.samples([9]))

    for id in 10..<2_000 { market.changes.tell(.sample(.listed, Int64(id))) }
    await until { market.live.pendingProducts.hasMore }

    expect(market.live.pendingProducts.count, PendingNewProducts.most)
  }

  @Test func `what comes while new ones are taken waits further`() async throws {
    try await market.show(Product.samples([9]))
    market.changes.tell(.sample(.listed, 10))
    await until { market.live.pendingProducts.count == 1 }

    browser.takeNewcomers()
    let page = try await market.pages.next()
    market.changes.tell(.sample(.listed, 11))
    await until { market.live.pendingProducts.count == 2 }
    page.answer(.sample([10, 9]))
    await until { market.live.pendingProducts.count == 1 }

    expect(market.rows, [10, 9])
  }

  @Test func `in a search the market says which new ones it finds`() async throws {
    try await market.show(Product.samples([9]))
    browser.show(ProductQuery(text: "lamp"))
    try await market.pages.next().answer(.sample([9]))
    await until { !browser.feed.isStale }

    market.changes.tell(.sample(.listed, 10), .sample(.listed, 11))
    let question = try await market.question()
    question.answer(.sample([10]))
    await until { market.live.pendingProducts.count == 1 }

    expect(question.request.query, ProductQuery(text: "lamp", ids: ids(11, 10)))
  }

  @Test func `where a market cannot say which new ones fit, the list is told to differ`()
    async throws
  {
    var capabilities = RepositoryCapabilities.full
    capabilities.parts.remove(.ids)
    let market = WatchedBrowser(capabilities)
    try await market.show(Product.samples([9]))
    market.browser.show(ProductQuery(text: "lamp", order: .cheapest))
    try await market.pages.next().answer(.sample([9]))
    await until { !market.browser.feed.isStale }

    market.changes.tell(.sample(.listed, 10))
    await until { !market.live.pendingProducts.isEmpty }

    #expect(market.live.pendingProducts.isGuess)
    expect(market.live.pendingProducts.count, 0)
  }

  @Test func `an empty list takes what is new at once`() async throws {
    try await market.show([])

    market.changes.tell(.sample(.listed, 10))
    try await market.pages.next().answer(.sample([10]))
    await until { market.rows == [10] }

    #expect(market.live.pendingProducts.isEmpty)
  }

  // MARK: Deleted ones

  @Test func `a deleted product stays in its place and goes with the next refresh`() async throws {
    try await market.show(Product.samples([9, 8, 7]))
    browser.list.move(.down)

    market.changes.tell(.sample(.deleted, 8, version: nil))
    await until { market.news(of: 8) == .deleted }
    let before = (market.rows, browser.selected?.id.rawValue)
    browser.refresh()
    try await market.pages.next().answer(.sample([9, 7]))
    await until { market.rows == [9, 7] }

    #expect(before == ([9, 8, 7], 8))
    expect(browser.selected?.id.rawValue, 7)
    expect(market.news(of: 8), nil)
  }

  @Test func `a deleted product is counted out at once, and once`() async throws {
    try await market.show(Product.samples([9, 8, 7]))

    market.changes.tell(.sample(.deleted, 8, version: nil))
    await until { market.news(of: 8) == .deleted }
    let marked = (browser.feed.productTotal, browser.feed.total)
    browser.refresh()
    try await market.pages.next().answer(
      ProductPage(products: Product.samples([9, 7]), total: .exactly(2), next: nil))
    await until { market.rows == [9, 7] }

    #expect(marked == (.exactly(2), .exactly(3)))
    expect(browser.feed.productTotal, .exactly(2))
  }

  @Test func `what is deleted out of the list, or told twice, is not counted out of it`()
    async throws
  {
    try await market.show(Product.samples([9, 8]))

    market.changes.tell(.sample(.deleted, 3, version: nil))
    market.changes.tell(.sample(.deleted, 8, version: nil))
    market.changes.tell(.sample(.deleted, 8, version: nil))
    await until { market.news(of: 8) == .deleted }
    await market.settle()

    expect(browser.feed.productTotal, .exactly(1))
  }

  @Test func `a row that its market does not find any more counts as deleted`() async throws {
    try await market.show(Product.samples([9, 8]))

    market.changes.tell(.sample(.changed, 8))
    try await market.question().answer(.sample([]))
    await until { market.news(of: 8) == .deleted }

    expect(market.rows, [9, 8])
  }

  @Test func `an answer with unreadable rows deletes nothing`() async throws {
    try await market.show(Product.samples([9, 8]))

    market.changes.tell(.sample(.changed, 8))
    try await market.question().answer(
      ProductPage(products: [], total: .exactly(1), next: nil, unreadableRows: 1))
    await market.settle()

    expect(market.news(of: 8), nil)
  }

  // MARK: Resets and places

  @Test func `a reset reads the list again and moves nothing`() async throws {
    try await market.show(Product.samples([9, 8, 7]))
    browser.list.move(.down)

    market.changes.tell(isReset: true)
    let top = try await market.question()
    top.answer(
      ProductPage(
        products: [.sample(id: 10), .sample(id: 9), .sample(id: 8, name: "Lamp")],
        total: .exactly(3), next: nil))
    let rows = try await market.question(after: WatchedBrowser.restAndJitter)
    rows.answer(.sample([]))
    await until { market.news(of: 7) == .deleted }

    expect(top.request, PageRequest(query: ProductQuery(), position: .first, size: 4))
    expect(rows.request.query.ids, ids(7))
    expect(market.rows, [9, 8, 7])
    expect(browser.selected?.product.name, "Lamp")
    expect(market.live.pendingProducts.count, 1)
  }

  @Test func `rows that come back from before a search are compared with the market`() async throws
  {
    try await market.show(Product.samples([9, 8]))
    let cursor = browser.list.snapshot
    browser.show(ProductQuery(text: "x"))
    try await market.pages.next().answer(.sample([]))
    await until { !browser.feed.isStale }
    market.changes.tell(.sample(.changed, 9))
    await market.settle()

    browser.restore(cursor)
    let question = try await market.question()

    expect(question.request.query, ProductQuery())
    expect(question.request.position, .first)
  }
}

/// Observer that remembers what it was told to be reserved.
private final class ReservationRecorder: ListObserver {
  private(set) var told: [[Int64]] = []

  func didReceive(_ news: ListNews) {
    if case .reserved(let products) = news { told.append(products.map(\.id.rawValue)) }
  }
}
