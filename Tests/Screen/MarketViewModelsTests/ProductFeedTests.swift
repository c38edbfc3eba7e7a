import Expectations
import MarketModel
import MarketViewModels
import TestSupport
import Testing

struct ProductFeedTests {
  /// A feed of pages of four that has taken the page of these ids in.
  private func feed(
    _ ids: some Sequence<Int64>, next: PagePosition? = .after(PageCursor(rawValue: "1"))
  ) -> ProductFeed {
    var feed = ProductFeed(pageSize: 4)
    let request = feed.start(ProductQuery())
    _ = feed.didReceive(.sample(ids, next: next), for: request)
    return feed
  }

  private func ids(_ feed: ProductFeed) -> [Int64] { feed.head.map(\.id.rawValue) }

  @Test func `a product registered just now stands on top, once, whatever the source lists`() {
    var feed = ProductFeed(pageSize: 3)
    let first = feed.start(ProductQuery())
    _ = feed.didReceive(.sample([3, 2, 1]), for: first)

    let request = feed.start(ProductQuery(), pinning: .sample(id: 4))
    let before = feed.head.map(\.id.rawValue)
    _ = feed.didReceive(.sample([1, 2, 4]), for: request)

    expect(before, [4, 3, 2, 1])
    expect(feed.head.map(\.id.rawValue), [1, 2, 4])
    let again = feed.start(ProductQuery(), pinning: .sample(id: 5))
    _ = feed.didReceive(.sample([1, 2, 4]), for: again)
    expect(feed.head.map(\.id.rawValue), [5, 1, 2, 4])
  }

  @Test func `the first request is the first page of the query`() {
    var feed = ProductFeed(pageSize: 4)

    let request = feed.start(ProductQuery(text: "mug"))

    expect(request.page, PageRequest(query: ProductQuery(text: "mug"), size: 4))
    expect(feed.phase, .loading)
  }

  @Test func `the next page is asked for a screen early, and once`() throws {
    var feed = feed([9, 8, 7, 6])

    expect(feed.prefetchNext(lastVisible: 0, ahead: 1), nil)
    let askedRequest = feed.prefetchNext(lastVisible: 1, ahead: 2)
    let request = try #require(askedRequest)
    let again = feed.prefetchNext(lastVisible: 3, ahead: 2)

    expect(request.page.position, .after(PageCursor(rawValue: "1")))
    expect(again, nil)
  }

  @Test func `a page without a next one ends the feed`() {
    let feed = feed([2, 1], next: nil)

    expect(feed.phase, .ended)
  }

  @Test func `rows of the query before stay until the first page of the new one comes`() {
    var feed = feed([9, 8])

    let request = feed.start(ProductQuery(text: "mug"))
    expect(ids(feed), [9, 8])
    _ = feed.didReceive(.sample([5]), for: request)

    expect(ids(feed), [5])
  }

  @Test func `a page of an earlier query is dropped`() {
    var feed = feed([9, 8])
    let early = feed.start(ProductQuery(text: "m"))
    let late = feed.start(ProductQuery(text: "mug"))

    _ = feed.didReceive(.sample([3]), for: late)
    _ = feed.didReceive(.sample([4]), for: early)

    expect(ids(feed), [3])
  }

  @Test func `a page that failed can be asked for again, and the products stay`() throws {
    var feed = feed([9, 8, 7, 6])
    let askedRequest = feed.prefetchNext(lastVisible: 3, ahead: 1)
    let request = try #require(askedRequest)

    feed.didFail(.unreachable(.timedOut), for: request)
    expect(feed.phase, .failed(.unreachable(.timedOut)))
    let askedRetried = feed.retry()
    let retried = try #require(askedRetried)

    expect(retried.page, request.page)
    expect(ids(feed), [9, 8, 7, 6])
  }

  @Test func `where a cursor is known no more, the list goes on by number at its place`() throws {
    var feed = feed([9, 8, 7, 6, 5])
    let askedRequest = feed.prefetchNext(lastVisible: 3, ahead: 1)
    let request = try #require(askedRequest)

    feed.didFail(.unknownCursor, for: request)
    let askedAgain = feed.prefetchNext(lastVisible: 3, ahead: 1)
    let again = try #require(askedAgain)
    _ = feed.didReceive(
      .sample([5, 4, 3, 2], next: .after(PageCursor(rawValue: "2"))), for: again)

    expect(again.page.position, .number(2))
    expect(ids(feed), [9, 8, 7, 6, 5, 4, 3, 2])
  }

  @Test func `a source that knows no page at all is not asked for ever`() throws {
    var feed = feed([9, 8, 7, 6])

    var asked = 0
    while let request = feed.prefetchNext(lastVisible: 3, ahead: 1), asked < 100 {
      asked += 1
      feed.didFail(.unknownCursor, for: request)
    }

    expect(asked, 2)
    expect(feed.phase, .failed(.unknownCursor))
  }

  @Test func `a product that a shifted page repeats is not added again`() throws {
    var feed = feed([9, 8, 7, 6], next: .number(2))
    let askedRequest = feed.prefetchNext(lastVisible: 3, ahead: 1)
    let request = try #require(askedRequest)

    _ = feed.didReceive(.sample([7, 6, 5, 4], next: nil), for: request)

    expect(ids(feed), [9, 8, 7, 6, 5, 4])
  }

  /// A feed that has read two products of each page by number so far, in a market of this size.
  private func feedByNumber(total: ProductTotal) throws -> (ProductFeed, FeedRequest) {
    var feed = ProductFeed(pageSize: 2)
    let first = feed.start(ProductQuery())
    _ = feed.didReceive(.sample([9, 8], total: total, next: .number(2)), for: first)
    let askedSecond = feed.prefetchNext(lastVisible: 1, ahead: 1)
    return (feed, try #require(askedSecond))
  }

  @Test func `a smaller total reads the page before again, and what slipped by is found`() throws {
    var (feed, second) = try feedByNumber(total: .exactly(6))

    let back = feed.didReceive(.sample([6, 5], total: .exactly(5), next: .number(3)), for: second)
    expect(back.map(\.page.position), [.number(1)])
    let more = feed.didReceive(
      .sample([9, 7], total: .exactly(5), next: .number(2)), for: try #require(back.first))

    expect(ids(feed), [9, 8, 7])
    #expect(more.isEmpty)
    let asked = feed.prefetchNext(lastVisible: 2, ahead: 2)
    expect(asked?.page.position, .number(2))
  }

  @Test func `without a total a page is taken when the one before it is as it was`() throws {
    var (feed, second) = try feedByNumber(total: .unknown)

    let check = feed.didReceive(.sample([7, 6], total: .unknown, next: .number(3)), for: second)
    expect(ids(feed), [9, 8])
    let more = feed.didReceive(
      .sample([9, 8], total: .unknown, next: .number(2)), for: try #require(check.first))

    expect(check.map(\.page.position), [.number(1)])
    #expect(more.isEmpty)
    expect(ids(feed), [9, 8, 7, 6])
  }

  @Test func `without a total a page is read again when the one before it has changed`() throws {
    var (feed, second) = try feedByNumber(total: .unknown)

    let check = feed.didReceive(.sample([6, 5], total: .unknown, next: .number(3)), for: second)
    let again = feed.didReceive(
      .sample([9, 7], total: .unknown, next: .number(2)), for: try #require(check.first))

    expect(again.map(\.page.position), [.number(2)])
    expect(ids(feed), [9, 8, 7])
  }

  @Test func `a page that could not be confirmed is read again by a retry`() throws {
    var (feed, second) = try feedByNumber(total: .unknown)
    let check = feed.didReceive(.sample([7, 6], total: .unknown, next: .number(3)), for: second)

    feed.didFail(.unreachable(.timedOut), for: try #require(check.first))
    let retried = feed.retry()

    expect(retried?.page.position, .number(2))
    expect(ids(feed), [9, 8])
  }

  @Test func `a source that repeats itself is not asked for ever`() throws {
    var feed = feed([9, 8, 7, 6], next: .number(2))

    var asked = 0
    while let request = feed.prefetchNext(lastVisible: 3, ahead: 1), asked < 100 {
      asked += 1
      _ = feed.didReceive(.sample([9, 8, 7, 6], next: .number(2 + asked)), for: request)
    }

    #expect(asked < 20)
    expect(feed.phase, .ended)
  }
}

struct ProductFeedRefreshTests {
  private func ids(_ feed: ProductFeed) -> [Int64] { feed.head.map(\.id.rawValue) }

  /// Two pages of four by cursor: 9 8 7 6 and 5 4 3 2.
  private func twoPages() throws -> ProductFeed {
    var feed = ProductFeed(pageSize: 4)
    let first = feed.start(ProductQuery())
    _ = feed.didReceive(
      .sample([9, 8, 7, 6], next: .after(PageCursor(rawValue: "6"))), for: first)
    let askedSecond = feed.prefetchNext(lastVisible: 3, ahead: 1)
    let second = try #require(askedSecond)
    _ = feed.didReceive(.sample([5, 4, 3, 2], next: nil), for: second)
    return feed
  }

  @Test func `new products stand on top and are counted`() throws {
    var feed = try twoPages()
    let askedRequest = feed.refresh(visible: 0..<4).first
    let request = try #require(askedRequest)

    _ = feed.didReceive(
      .sample([11, 10, 9, 8], next: .after(PageCursor(rawValue: "8"))), for: request)

    expect(ids(feed), [11, 10, 9, 8, 7, 6, 5, 4, 3, 2])
    expect(feed.newCount, 2)
    #expect(!feed.isRefreshing)
  }

  @Test func `products that are gone leave, the others stay`() throws {
    var feed = try twoPages()
    let askedRequest = feed.refresh(visible: 0..<4).first
    let request = try #require(askedRequest)

    _ = feed.didReceive(
      .sample([9, 7, 6, 5], next: .after(PageCursor(rawValue: "5"))), for: request)

    expect(ids(feed), [9, 7, 6, 5, 4, 3, 2])
  }

  @Test func `what is on the screen is read again behind its cursor`() throws {
    var feed = try twoPages()
    let askedRequest = feed.refresh(visible: 5..<8).first
    let request = try #require(askedRequest)

    let more = feed.didReceive(
      .sample([9, 8, 7, 6], next: .after(PageCursor(rawValue: "6"))), for: request)
    let visible = try #require(more.first)
    _ = feed.didReceive(.sample([5, 3, 2], next: nil), for: visible)

    expect(visible.page.position, .after(PageCursor(rawValue: "6")))
    expect(ids(feed), [9, 8, 7, 6, 5, 3, 2])
  }

  @Test func `more new products than a page are read until something known comes`() throws {
    var feed = try twoPages()
    let askedRequest = feed.refresh(visible: 0..<4).first
    let request = try #require(askedRequest)

    let next = feed.didReceive(
      .sample([17, 16, 15, 14], next: .after(PageCursor(rawValue: "14"))), for: request)
    _ = feed.didReceive(
      .sample([13, 12, 9, 8], next: .after(PageCursor(rawValue: "8"))),
      for: try #require(next.first))

    expect(ids(feed), [17, 16, 15, 14, 13, 12, 9, 8, 7, 6, 5, 4, 3, 2])
    expect(feed.newCount, 6)
  }

  @Test func `a product that moved up in its order leaves its old place`() throws {
    var feed = try twoPages()
    let askedRequest = feed.refresh(visible: 0..<4).first
    let request = try #require(askedRequest)

    _ = feed.didReceive(
      .sample([3, 9, 8, 7], next: .after(PageCursor(rawValue: "7"))), for: request)

    expect(ids(feed), [3, 9, 8, 7, 6, 5, 4, 2])
  }

  @Test func `a refresh that failed leaves everything as it was`() throws {
    var feed = try twoPages()
    let askedRequest = feed.refresh(visible: 0..<4).first
    let request = try #require(askedRequest)

    feed.didFail(.unreachable(.refused), for: request)

    expect(ids(feed).count, 8)
    #expect(!feed.isRefreshing)
    expect(feed.phase, .ended)
  }

  @Test func `a market that was empty is filled from its first page`() throws {
    var feed = ProductFeed(pageSize: 2)
    let first = feed.start(ProductQuery())
    _ = feed.didReceive(.sample([Int64]()), for: first)
    let asked = feed.refresh(visible: 0..<0).first

    let more = feed.didReceive(
      .sample([4, 3], next: .after(PageCursor(rawValue: "3"))), for: try #require(asked))

    #expect(more.isEmpty)
    expect(ids(feed), [4, 3])
    expect(feed.phase, .idle)
  }

  @Test func `a refresh that meets nothing known for many pages starts anew`() throws {
    var feed = try twoPages()
    var requests = feed.refresh(visible: 0..<4)
    var top: Int64 = 1_000

    while let request = requests.first, request.purpose != .replace {
      top -= 4
      requests = feed.didReceive(
        .sample([top + 3, top + 2, top + 1, top], next: .after(PageCursor(rawValue: "\(top)"))),
        for: request)
    }

    expect(requests.map(\.page.position), [.first])
    #expect(!feed.isRefreshing)
  }
}
