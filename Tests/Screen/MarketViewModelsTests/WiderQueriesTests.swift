import Expectations
import MarketModel
import MarketViewModels
import SellingTestSupport
import TestSupport
import Testing

/// What would be found without one part of a query by which nothing is.
struct WiderQueriesTests {
  private let repository = GatedProductRepository()
  private static let narrow = ProductQuery(text: "15", filters: [.inStock, .reduced])

  /// A browser that finds nothing by a query.
  private func browser(
    showing query: ProductQuery = narrow, of repository: GatedProductRepository? = nil
  ) async throws -> BrowserModel {
    let repository = repository ?? self.repository
    let browser = BrowserModel(
      repository: repository, arrangement: .list, pageSize: 4, clock: ManualClock())
    browser.start()
    try await repository.pages.next().answer(.sample([2, 1]))
    await until { browser.feed.count == 2 && browser.capabilities != nil }
    browser.show(query)
    try await repository.pages.next().answer(.sample([Int64]()))
    await until { !browser.feed.isStale }
    return browser
  }

  @Test func `each part that is in the way is counted, one after the other`() async throws {
    let browser = try await browser()
    var asked: [Set<QueryPart>] = []
    for count in [0, 3, 12] {
      let call = try await repository.totals.next()
      asked.append(call.request.parts)
      call.answer(.exactly(count))
    }
    await until { browser.wider.choices.count == 2 }

    expect(asked, [[.inStock, .reduced], [.words, .reduced], [.words, .inStock]])
    expect(browser.wider.choices.map(\.part), [.inStock, .reduced])
    expect(browser.wider.choices.map(\.total), [.exactly(3), .exactly(12)])
  }

  @Test func `what the same keys type in the other keyboard mode is counted first`() async throws {
    let browser = try await browser(showing: ProductQuery(text: "dkdlvhs 15"))

    let call = try await repository.totals.next()
    call.answer(.exactly(2))
    await until { browser.wider.choices.count == 1 }

    expect(call.request, ProductQuery(text: "아이폰 15"))
    expect(browser.wider.choices.map(\.part), [nil])
    browser.showWider()
    try await expect(repository.pages.next().request.query, ProductQuery(text: "아이폰 15"))
  }

  @Test func `the selected one is shown`() async throws {
    let browser = try await browser()
    for _ in 0..<3 { try await repository.totals.next().answer(.exactly(1)) }
    await until { browser.wider.choices.count == 3 }

    browser.wider.move(by: 1)
    browser.wider.move(by: 5)
    browser.wider.move(by: -1)
    browser.showWider()
    let call = try await repository.pages.next()

    expect(call.request.query, ProductQuery(text: "15", filters: [.reduced]))
    #expect(browser.wider.choices.isEmpty)
  }

  @Test func `an answer that comes when something else is looked for is dropped`() async throws {
    let repository = GatedProductRepository(answersCancelledCalls: false)
    let browser = try await browser(of: repository)
    let late = try await repository.totals.next()

    browser.show(ProductQuery(text: "cup", filters: [.reduced]))
    late.answer(.exactly(7))
    try await repository.pages.next().answer(.sample([Int64]()))
    let next = try await repository.totals.next()

    #expect(browser.wider.choices.isEmpty)
    expect(next.request, ProductQuery(text: "쳐ㅔ", filters: [.reduced]))
  }

  @Test(arguments: [ProductQuery(text: "15"), ProductQuery(filters: [.reduced])])
  func `nothing is counted where there is one part`(query: ProductQuery) async throws {
    _ = try await browser(showing: query)

    expect(repository.totals.callCount, 0)
  }

  @Test func `a market that does not count is asked once`() async throws {
    let browser = try await browser()
    try await repository.totals.next().fail(.unreachable(.refused))
    for _ in 0..<50 { await Task.yield() }

    #expect(browser.wider.choices.isEmpty)
    expect(repository.totals.callCount, 1)
  }
}
