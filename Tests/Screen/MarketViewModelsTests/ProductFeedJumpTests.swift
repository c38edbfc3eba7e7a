import Expectations
import MarketModel
import MarketViewModels
import TestSupport
import Testing

/// A market of products 1 to `count` in the newest order, which answers pages by number and cursor.
private struct CountedMarket {
  var ids: [Int64]
  /// Whether a page says where the next one begins, and not only its number.
  var hasCursors = true

  init(count: Int64) { ids = Array((1...count).reversed()) }

  func page(_ request: PageRequest) -> ProductPage {
    let start =
      switch request.position {
      case .first: 0
      case .number(let number): (number - 1) * request.size
      case .after(let cursor): ids.firstIndex { $0 < Int64(cursor.rawValue) ?? 0 } ?? ids.count
      }
    let found = Array(ids.dropFirst(start).prefix(request.size))
    let isLast = start + found.count >= ids.count
    let next: PagePosition? =
      hasCursors
      ? found.last.map { .after(PageCursor(rawValue: "\($0)")) }
      : .number(start / request.size + 2)
    return .sample(found, total: .exactly(ids.count), next: isLast ? nil : next)
  }
}

struct ProductFeedJumpTests {
  private var market = CountedMarket(count: 1_000)

  /// A feed of pages of ten that has read the first one.
  private func feed() -> ProductFeed {
    var feed = ProductFeed(pageSize: 10)
    let first = feed.start(ProductQuery())
    _ = feed.didReceive(market.page(first.page), for: first)
    return feed
  }

  /// Shows rows until nothing more is wanted for them; the numbers of the pages that were read.
  @discardableResult
  private func show(_ rows: Range<Int>, in feed: inout ProductFeed) -> [PagePosition] {
    var read: [PagePosition] = []
    while true {
      var requests = feed.prefetchFar(rows, selected: rows.lowerBound, ahead: 5).loads
      let next = feed.prefetchNext(
        firstVisible: rows.lowerBound, lastVisible: rows.upperBound, ahead: 5)
      requests += [next].compactMap(\.self)
      guard !requests.isEmpty else { return read }
      for request in requests {
        read.append(request.page.position)
        _ = feed.didReceive(market.page(request.page), for: request)
      }
    }
  }

  private func ids(_ feed: ProductFeed, _ rows: Range<Int>) -> [Int64?] {
    rows.map { feed[$0]?.id.rawValue }
  }

  @Test func `all rows that the market counts are places of the list`() {
    let feed = feed()

    expect(feed.count, 1_000)
    #expect(feed.knowsEnd)
    expect(feed[9]?.id.rawValue, 991)
    expect(feed[10], nil)
  }

  @Test func `the last page is read by its number, and the one before it ahead`() {
    var feed = feed()

    let read = show(990..<1_000, in: &feed)

    expect(read, [.number(100), .number(99)])
    expect(ids(feed, 990..<1_000), (1...10).reversed().map { $0 })
  }

  @Test func `two pages at most are on their way, that of the selected row first`() {
    var feed = feed()

    let fill = feed.prefetchFar(500..<540, selected: 525, ahead: 40)
    let again = feed.prefetchFar(500..<540, selected: 525, ahead: 40)

    expect(fill.loads.map(\.page.position).first, .number(53))
    expect(fill.loads.count, 2)
    #expect(again.isEmpty)
  }

  @Test func `a page that is passed is given up`() {
    var feed = feed()
    let passed = feed.prefetchFar(500..<510, selected: 500, ahead: 0).loads

    let fill = feed.prefetchFar(800..<810, selected: 800, ahead: 0)

    expect(fill.cancels, passed)
    expect(fill.loads.map(\.page.position), [.number(81)])
  }

  @Test func `the answer of a page that was given up changes nothing`() throws {
    var feed = feed()
    let passed = try #require(feed.prefetchFar(500..<510, selected: 500, ahead: 0).loads.first)
    _ = feed.prefetchFar(800..<810, selected: 800, ahead: 0)

    _ = feed.didReceive(market.page(passed.page), for: passed)

    expect(feed[500], nil)
  }

  @Test func `a page of the screen that is on its way comes, also where the head comes near`()
    throws
  {
    var feed = feed()
    let ahead = feed.prefetchNext(lastVisible: 9, ahead: 5)
    let next = try #require(ahead)
    let far = try #require(feed.prefetchFar(20..<30, selected: 20, ahead: 0).loads.first)

    _ = feed.didReceive(market.page(next.page), for: next)
    let fill = feed.prefetchFar(20..<30, selected: 20, ahead: 0)
    _ = feed.didReceive(market.page(far.page), for: far)

    #expect(fill.isEmpty)
    expect(ids(feed, 20..<30), (971...980).reversed().map { $0 })
  }

  /// A feed whose next page is on its way for the screen, from a market of numbered pages alone.
  private func feedThatWasOutrun() throws -> (
    market: CountedMarket, feed: ProductFeed, page: ProductPage, request: FeedRequest
  ) {
    var now = self
    now.market.hasCursors = false
    var feed = now.feed()
    let ahead = feed.prefetchNext(lastVisible: 9, ahead: 5)
    let next = try #require(ahead)
    let far = try #require(feed.prefetchFar(20..<30, selected: 20, ahead: 0).loads.first)
    _ = feed.didReceive(now.market.page(next.page), for: next)
    return (now.market, feed, now.market.page(far.page), far)
  }

  @Test func `the page that the head would read next is read once where pages have numbers alone`()
    throws
  {
    let outrun = try feedThatWasOutrun()
    var feed = outrun.feed

    let fill = feed.prefetchFar(20..<30, selected: 20, ahead: 0)
    let again = feed.prefetchNext(firstVisible: 20, lastVisible: 29, ahead: 0)
    _ = feed.didReceive(outrun.page, for: outrun.request)
    let after = feed.prefetchNext(firstVisible: 20, lastVisible: 29, ahead: 0)

    #expect(fill.isEmpty)
    expect(again, nil)
    expect(feed.head.count, 30)
    expect(after?.page.position, .number(4))
  }

  @Test func `the head waits until such a page is known to adjoin it`() throws {
    let outrun = try feedThatWasOutrun()
    var (feed, page) = (outrun.feed, outrun.page)
    page.total = .atLeast(900)

    let confirmations = feed.didReceive(page, for: outrun.request)
    let meanwhile = feed.prefetchNext(firstVisible: 20, lastVisible: 29, ahead: 0)
    let confirmation = try #require(confirmations.first)
    _ = feed.didReceive(outrun.market.page(confirmation.page), for: confirmation)

    expect(confirmation.purpose, .confirm(before: 3))
    expect(meanwhile, nil)
    expect(ids(feed, 0..<30), (971...1_000).reversed().map { $0 })
  }

  @Test func `near the head the head is read on, whatever is known far behind it`() {
    var feed = feed()
    show(30..<40, in: &feed)

    let read = show(12..<22, in: &feed)

    #expect(read.allSatisfy { if case .after = $0 { true } else { false } })
    expect(ids(feed, 0..<40), (961...1_000).reversed().map { $0 })
  }

  @Test func `rows that the head meets in another state of the market are read anew`() {
    var feed = feed()
    show(30..<50, in: &feed)
    let shifted = CountedMarket(count: 1_000).ids.filter { $0 != 975 }

    var now = self
    now.market.ids = shifted
    now.show(15..<25, in: &feed)
    now.show(25..<40, in: &feed)

    expect(ids(feed, 0..<40), shifted.prefix(40).map { $0 })
  }

  @Test func `another count says that the pages around are of another state`() {
    var feed = feed()
    show(500..<510, in: &feed)
    var now = self
    now.market.ids.insert(1_001, at: 0)

    now.show(520..<530, in: &feed)

    expect(feed.count, 1_001)
    expect(feed[505], nil)
    expect(ids(feed, 520..<530), now.market.ids[520..<530].map { $0 })
  }

  @Test func `a product that has moved to another page stands there alone`() {
    var feed = feed()
    show(500..<510, in: &feed)
    var now = self
    now.market.ids = now.market.ids.dropFirst() + [0]

    now.show(480..<490, in: &feed)

    expect(ids(feed, 489..<492), [510, nil, 509])
  }

  @Test func `a count that says less than what is known changes nothing`() throws {
    var feed = feed()
    show(500..<510, in: &feed)
    let request = try #require(feed.prefetchFar(520..<530, selected: 520, ahead: 0).loads.first)
    var page = market.page(request.page)
    page.total = .atLeast(900)

    _ = feed.didReceive(page, for: request)

    #expect(feed.total == .exactly(1_000) && feed[505] != nil)
  }

  @Test func `a page that was counted less far changes nothing`() throws {
    var feed = ProductFeed(pageSize: 10)
    let first = feed.start(ProductQuery())
    var page = market.page(first.page)
    page.total = .atLeast(900)
    _ = feed.didReceive(page, for: first)
    let request = try #require(feed.prefetchFar(520..<530, selected: 520, ahead: 0).loads.first)
    page = market.page(request.page)
    page.total = .atLeast(700)

    _ = feed.didReceive(page, for: request)

    #expect(feed.total == .atLeast(900) && feed[520] != nil)
  }

  @Test func `a refresh away from the head moves what is there and reads it again`() throws {
    var feed = feed()
    show(500..<510, in: &feed)
    var now = self
    now.market.ids.insert(contentsOf: [1_002, 1_001], at: 0)

    let top = try #require(feed.refresh(visible: 500..<510).first)
    let more = feed.didReceive(now.market.page(top.page), for: top)
    let moved = feed.index(of: Product.ID(rawValue: 500))
    for request in more { _ = feed.didReceive(now.market.page(request.page), for: request) }

    expect(feed.newCount, 2)
    expect(moved, 502)
    expect(more.map(\.page.position), [.number(51), .number(52)])
    expect(ids(feed, 502..<512), now.market.ids[502..<512].map { $0 })
  }

  @Test func `a source that shows its beginning under every number is read page by page`() throws {
    var feed = feed()
    let request = try #require(feed.prefetchFar(500..<510, selected: 500, ahead: 0).loads.first)

    _ = feed.didReceive(market.page(PageRequest(size: 10)), for: request)

    expect(feed.count, 10)
    #expect(!feed.knowsEnd)
    #expect(feed.prefetchFar(0..<10, selected: 0, ahead: 0).loads.isEmpty)
  }

  @Test func `a source that counts more than it has is gone through as far as it reaches`() throws {
    var feed = ProductFeed(pageSize: 10)
    let first = feed.start(ProductQuery())
    _ = feed.didReceive(
      .sample((991...1_000).reversed(), total: .exactly(.max), next: .number(2)), for: first)
    let request = try #require(
      feed.prefetchFar(feed.count - 5..<feed.count, selected: feed.count - 1, ahead: 5).loads.first)

    _ = feed.didReceive(.sample([], total: .exactly(.max)), for: request)

    expect(feed.count, 10)
  }

  @Test func `a page that did not come is said where its rows would be, and wanted again later`()
    throws
  {
    var feed = feed()
    let request = try #require(feed.prefetchFar(500..<510, selected: 500, ahead: 0).loads.first)

    feed.didFail(.unreachable(.timedOut), for: request)
    #expect(feed.hasFailed(at: 505))
    #expect(!feed.hasFailed(at: 510))
    expect(feed.failure, .unreachable(.timedOut))
    #expect(feed.prefetchFar(500..<510, selected: 500, ahead: 0).isEmpty)
    _ = feed.retry()

    expect(feed.failure, nil)
    expect(feed.prefetchFar(500..<510, selected: 500, ahead: 0).loads, [request])
  }

  @Test func `a product that goes leaves the others in order, wherever it was`() {
    var feed = feed()
    show(500..<510, in: &feed)
    var now = self
    now.market.ids.removeAll { $0 == 498 }

    feed.removeRow(of: Product.ID(rawValue: 498))

    expect(feed.count, 999)
    expect(ids(feed, 500..<509), now.market.ids[500..<509].map { $0 })
  }

  @Test func `what was looked at is forgotten when it is far away`() {
    var feed = feed()

    for start in stride(from: 30, to: 990, by: 10) { show(start..<start + 10, in: &feed) }
    let some = feed[40] != nil
    var long = self
    long.market = CountedMarket(count: 100_000)
    var other = long.feed()
    for start in stride(from: 100, to: 20_000, by: 10) {
      long.show(start..<start + 10, in: &other)
    }

    #expect(some)
    #expect((0..<100_000).count { other[$0] != nil } < 2_200)
  }

  @Test func `a head that is long grows no more, and nothing is missing behind it`() {
    var long = self
    long.market = CountedMarket(count: 5_000)
    var feed = long.feed()

    for start in stride(from: 0, to: 2_500, by: 7) { long.show(start..<start + 20, in: &feed) }

    expect(feed.head.count, 2_000)
    expect(ids(feed, 1_990..<2_500), long.market.ids[1_990..<2_500].map { $0 })
  }

  @Test(arguments: 0..<100)
  func `wherever one looks, what is shown there is what the market has there`(seed: Int) {
    var random = SeededRandom(seed: UInt64(seed))
    var now = self
    now.market = CountedMarket(count: Int64.random(in: 50...400, using: &random))
    var feed = now.feed()

    for _ in 0..<30 {
      let start = Int.random(in: 0..<feed.count, using: &random)
      let rows = start..<min(feed.count, start + Int.random(in: 1...30, using: &random))
      now.show(rows, in: &feed)
      expect(now.ids(feed, rows), now.market.ids[rows].map { $0 })
      let shown = (0..<feed.count).compactMap { feed[$0]?.id }
      expect(Set(shown).count, shown.count)
    }
  }
}
