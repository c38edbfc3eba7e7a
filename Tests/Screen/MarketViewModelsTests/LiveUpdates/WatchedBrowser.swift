import MarketModel
import MarketViewModels
import SellingTestSupport
import TestSupport
import Testing

/// A browser whose market tells what changes, on a clock and with a chance of a test's own.
struct WatchedBrowser {
  let repository: GatedProductRepository
  let clock = ManualClock()
  let changes = ScriptedChanges()
  let browser: BrowserModel

  /// How long a question waits, and one right after another; how long rows are marked.
  static let jitter = Duration.milliseconds(500)
  static let restAndJitter = Duration.milliseconds(1_500)
  static let markTime = Duration.seconds(4)

  init(_ capabilities: RepositoryCapabilities = .full) {
    repository = GatedProductRepository(capabilities: capabilities, answersCancelledCalls: false)
    browser = BrowserModel(
      repository: repository, changes: changes, arrangement: .list, pageSize: 4, clock: clock,
      jitter: .fixed(0.5))
    browser.list.didLayOut(columns: 1, visibleRows: 3)
  }

  var pages: Gate<PageRequest, ProductPage> { repository.pages }
  var live: LiveMarket { browser.live }
  var rows: [Int64] { browser.feed.head.map(\.id.rawValue) }

  func news(of id: Int64) -> LiveMarket.RowChange? { live.news(of: Product.ID(rawValue: id)) }

  /// Shows these products, and follows the market with nothing on its way.
  func show(_ products: [Product], next: PagePosition? = nil) async throws {
    let page = ProductPage(products: products, total: .exactly(products.count), next: next)
    browser.start()
    try await pages.next().answer(page)
    await until { !browser.feed.isStale && browser.capabilities != nil }
    changes.watch()
    // What happened before the watch began shows in the first page.
    try await question().answer(page)
    await settle()
  }

  /// The next question, whose wait is over.
  func question(
    after wait: Duration = WatchedBrowser.jitter
  ) async throws -> GatedCall<PageRequest, ProductPage> {
    try await clock.sleeps(of: wait).next().answer(())
    return try await pages.next()
  }

  /// Lets everything run that can.
  func settle() async { for _ in 0..<200 { await Task.yield() } }
}
