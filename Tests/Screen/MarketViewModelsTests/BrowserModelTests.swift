import Expectations
import MarketModel
import MarketViewModels
import SellingTestSupport
import TestSupport
import Testing

struct BrowserModelTests {
  private let repository = GatedProductRepository(answersCancelledCalls: false)
  private let clock = ManualClock()

  private func makeBrowser() -> BrowserModel {
    let browser = BrowserModel(
      repository: repository, arrangement: .list, pageSize: 4, clock: clock)
    browser.list.didLayOut(columns: 1, visibleRows: 2)
    return browser
  }

  /// A browser that shows these products, the first of them selected, with nothing on its way.
  private func browser(
    showing ids: some Sequence<Int64>, next: PagePosition? = nil
  ) async throws -> BrowserModel {
    let browser = makeBrowser()
    browser.start()
    try await repository.pages.next().answer(.sample(ids, next: next))
    await until { !browser.feed.head.isEmpty }
    return browser
  }

  private func cursor(_ name: String) -> PagePosition { .after(PageCursor(rawValue: name)) }

  private func ids(_ browser: BrowserModel) -> [Int64] { browser.feed.head.map(\.id.rawValue) }

  @Test func `the first page shows its products and selects the first`() async throws {
    let browser = try await browser(showing: [9, 8, 7])

    expect(ids(browser), [9, 8, 7])
    expect(browser.selected?.id.rawValue, 9)
  }

  @Test func `what the repository can do is known after the start`() async {
    let browser = makeBrowser()

    browser.start()
    await until { browser.capabilities != nil }

    expect(browser.capabilities, .full)
  }

  @Test func `the next page is asked for once, however long a key is held`() async throws {
    let browser = try await browser(showing: [9, 8, 7, 6], next: cursor("6"))

    for _ in 0..<50 { browser.list.move(.down) }
    let call = try await repository.pages.next()

    expect(call.request.position, cursor("6"))
    expect(repository.pages.callCount, 2)
  }

  @Test func `a cursor that is known no more costs no key`() async throws {
    let browser = try await browser(showing: [9, 8, 7, 6], next: cursor("6"))
    browser.list.move(.down)

    try await repository.pages.next().fail(.unknownCursor)
    let again = try await repository.pages.next()
    again.answer(.sample([6, 5, 4]))
    await until { browser.feed.head.count == 6 }

    expect(again.request.position, .number(2))
    expect(browser.selected?.id.rawValue, 8)
  }

  @Test func `a page of an earlier query that comes late is dropped`() async throws {
    let browser = try await browser(showing: [9, 8])
    browser.show(ProductQuery(text: "m"))
    let early = try await repository.pages.next()
    browser.show(ProductQuery(text: "mug"))
    let late = try await repository.pages.next()

    early.answer(.sample([5]))
    late.answer(.sample([3], next: cursor("3")))
    await until { !browser.feed.isStale }
    try await repository.pages.next().answer(.sample([2]))
    await until { browser.feed.head.count == 2 }

    #expect(early.isCancelled)
    expect(ids(browser), [3, 2])
  }

  @Test func `a refresh keeps the selected product and says what is new`() async throws {
    let browser = try await browser(showing: [9, 8, 7])
    let recorder = NoticeRecorder(browser)
    browser.list.move(.down)

    browser.refresh()
    try await repository.pages.next().answer(.sample([11, 10, 9, 8, 7]))
    await until { browser.feed.head.count == 5 }

    expect(browser.selected?.id.rawValue, 8)
    expect(recorder.notices, [.refreshed(newProducts: 2)])
  }

  @Test func `when the selected product goes its neighbour is selected`() async throws {
    let browser = try await browser(showing: [9, 8, 7])
    browser.list.move(.down)

    browser.refresh()
    try await repository.pages.next().answer(.sample([9, 7]))
    await until { browser.feed.head.count == 2 }

    expect(browser.selected?.id.rawValue, 7)
  }

  @Test func `a refresh that fails is announced and changes nothing`() async throws {
    let browser = try await browser(showing: [9, 8])
    let recorder = NoticeRecorder(browser)

    browser.refresh()
    try await repository.pages.next().fail(.unreachable(.refused))
    await until { !browser.feed.isRefreshing }

    expect(recorder.notices, [.failed(.unreachable(.refused))])
    expect(ids(browser), [9, 8])
  }

  @Test func `a jump to the end loads page after page`() async throws {
    let browser = try await browser(showing: [9, 8, 7, 6], next: cursor("6"))

    browser.list.move(.last)
    try await repository.pages.next().answer(.sample([5, 4], next: cursor("4")))
    try await repository.pages.next().answer(.sample([3], next: nil))
    await until { browser.feed.phase == .ended }

    expect(browser.selected?.id.rawValue, 3)
  }

  @Test func `a counted move down reads on to a row that is not loaded`() async throws {
    let browser = try await browser(showing: [9, 8, 7, 6], next: cursor("6"))

    browser.list.move(.down, times: 5)
    try await repository.pages.next().answer(.sample([5, 4, 3, 2], next: nil))
    await until { browser.feed.head.count == 8 }

    expect(browser.selected?.id.rawValue, 4)
  }

  @Test func `a burst of pages down leads as far as it says, loaded or not`() async throws {
    let browser = try await browser(showing: [9, 8, 7, 6], next: cursor("6"))
    browser.list.didLayOut(columns: 1, visibleRows: 2)

    for _ in 0..<3 {
      browser.list.didPressKey()
      browser.list.move(.pageDown)
    }
    try await repository.pages.next().answer(.sample([5, 4, 3, 2], next: nil))
    await until { browser.feed.head.count == 8 }

    expect(browser.selected?.id.rawValue, 3)
  }

  @Test func `a key upwards ends a jump and leads up from where it came to`() async throws {
    let browser = try await browser(showing: [9, 8, 7, 6], next: cursor("6"))
    browser.list.move(.last)

    browser.list.didPressKey()
    browser.list.move(.up)
    try await repository.pages.next().answer(.sample([5, 4, 3, 2], next: nil))
    await until { browser.feed.head.count == 8 }

    expect(browser.selected?.id.rawValue, 7)
  }

  @Test func `any other key ends a jump to the end`() async throws {
    let browser = try await browser(showing: [9, 8, 7, 6], next: cursor("6"))
    browser.list.move(.last)

    browser.list.didPressKey()
    try await repository.pages.next().answer(.sample([5, 4, 3, 2], next: cursor("2")))
    await until { browser.feed.head.count == 8 }

    expect(browser.selected?.id.rawValue, 6)
  }

  /// A browser of a market of a thousand products, of which ten fit on the screen, that has read as
  /// much as it wants before anybody moves.
  private func browserOfThousand() async throws -> BrowserModel {
    let browser = makeBrowser()
    browser.list.didLayOut(columns: 1, visibleRows: 10)
    browser.start()
    for number in 1...9 {
      let page = page(Int64(number))
      try await repository.pages.next().answer(
        .sample(page, total: .exactly(1_000), next: cursor("\(number)")))
      await until { browser.feed.head.count == number * 4 }
    }
    return browser
  }

  /// The products on a page of that market.
  private func page(_ number: Int64) -> [Int64] { (0..<4).map { 1_000 - 4 * (number - 1) - $0 } }

  @Test func `a jump to the end asks for the last page alone`() async throws {
    let browser = try await browserOfThousand()

    browser.list.move(.last)
    expect(browser.viewport.selected, 999)
    expect(browser.selected, nil)
    var call = try await repository.pages.next()
    // It leaves together with the one before it, and either may arrive first.
    if call.request.position == .number(249) { call = try await repository.pages.next() }
    call.answer(.sample(page(250), total: .exactly(1_000)))
    await until { browser.selected != nil }

    expect(call.request.position, .number(250))
    expect(browser.selected?.id.rawValue, 1)
    #expect(repository.pages.callCount <= 12)
  }

  @Test func `a jump to the end of a market that grew meanwhile leads to its end`() async throws {
    let browser = try await browserOfThousand()

    browser.list.move(.last)
    try await repository.pages.next().answer(
      .sample([5, 4, 3, 2], total: .exactly(1_001), next: cursor("2")))
    await until { browser.viewport.selected == 1_000 }
    var call = try await repository.pages.next()
    while call.request.position != .number(251) { call = try await repository.pages.next() }
    call.answer(.sample([1], total: .exactly(1_001)))
    await until { browser.selected != nil }

    expect(browser.selected?.id.rawValue, 1)
  }

  @Test func `ten pages down in a burst ask for the page where they end, and two at once at most`()
    async throws
  {
    let browser = try await browserOfThousand()

    for _ in 0..<10 {
      browser.list.didPressKey()
      browser.list.move(.pageDown)
    }
    let first = try await repository.pages.next()
    let second = try await repository.pages.next()

    expect(browser.viewport.selected, 100)
    // Two that leave together may arrive in either order.
    expect(Set([first, second].map(\.request.position)), [.number(26), .number(27)])
    expect(repository.pages.callCount, 11)
  }

  @Test func `keys that outrun their pages are waited for, and what they pass is given up`()
    async throws
  {
    let browser = try await browserOfThousand()
    browser.list.jump(to: 100)
    let passed = try await repository.pages.next()

    browser.list.jump(to: 500)
    let rest = try await clock.sleeps(of: .milliseconds(60)).next()
    browser.list.jump(to: 900)
    let secondRest = try await clock.sleeps(of: .milliseconds(60)).next()
    secondRest.answer(())
    var call = try await repository.pages.next()
    while case .number(..<200) = call.request.position { call = try await repository.pages.next() }
    let other = try await repository.pages.next()

    #expect(rest.isCancelled)
    #expect(passed.isCancelled)
    // The page of the goal and the one before it leave together, in either order.
    expect(Set([call, other].map(\.request.position)), [.number(225), .number(226)])
    expect(repository.pages.callCount, 13)
  }

  @Test func `a market that does not count is asked how much it has, on the way to its end`()
    async throws
  {
    let browser = makeBrowser()
    browser.start()
    try await repository.pages.next().answer(.sample(page(1), total: .unknown, next: .number(2)))
    await until { browser.feed.head.count == 4 }

    browser.list.move(.last)
    try await repository.totals.next().answer(.exactly(1_000))
    await until { browser.viewport.selected == 999 }

    #expect(browser.feed.knowsEnd)
  }

  /// A browser that shows the first page of a search that finds more than was counted, and the call
  /// that counts them.
  private func browserOfMany() async throws -> (BrowserModel, GatedCall<PageRequest, ProductPage>) {
    let browser = makeBrowser()
    browser.show(ProductQuery(text: "mug"))
    let first = try await repository.pages.next()
    first.answer(.sample([9, 8, 7, 6], total: .atLeast(1_000), next: cursor("6")))
    var call = try await repository.pages.next()
    while call.request.size != 1 { call = try await repository.pages.next() }
    #expect(!first.request.countsExactly && call.request.countsExactly)
    return (browser, call)
  }

  @Test func `a search that finds many is counted exactly behind its first page`() async throws {
    let (browser, count) = try await browserOfMany()
    #expect(browser.feed.total == .atLeast(1_000) && ids(browser) == [9, 8, 7, 6])

    count.answer(.sample([9], total: .exactly(3_000), next: cursor("9")))
    await until { browser.feed.total == .exactly(3_000) }
    browser.list.move(.last)

    #expect(browser.viewport.selected == 2_999 && ids(browser) == [9, 8, 7, 6])
    expect(repository.totals.callCount, 0)
    var call = try await repository.pages.next()
    while call.request.position != .number(750) { call = try await repository.pages.next() }
    #expect(call.request.countsExactly)
  }

  @Test func `the end can be gone to before a search has been counted`() async throws {
    let (browser, count) = try await browserOfMany()

    browser.list.move(.last)
    try await repository.totals.next().answer(.exactly(3_000))
    await until { browser.viewport.selected == 2_999 }

    #expect(count.isCancelled)
  }

  @Test func `an exact count stays where the list is read again`() async throws {
    let (browser, count) = try await browserOfMany()
    count.answer(.sample([9], total: .exactly(3_000), next: cursor("9")))
    await until { browser.feed.total == .exactly(3_000) }

    browser.refresh()
    var call = try await repository.pages.next()
    while call.request.position != .first { call = try await repository.pages.next() }
    call.answer(.sample([9, 8, 7, 6], total: .atLeast(1_000), next: cursor("6")))
    await until { !browser.feed.isRefreshing }

    expect(browser.feed.total, .exactly(3_000))
    while repository.pages.untakenCount > 0 {
      #expect(try await repository.pages.next().request.size != 1)
    }
  }

  @Test func `the count of a search that was left is dropped`() async throws {
    let (browser, count) = try await browserOfMany()
    browser.show(ProductQuery(text: "lamp"))

    count.answer(.sample([9], total: .exactly(3_000)))
    var call = try await repository.pages.next()
    while call.request.query.text != "lamp" { call = try await repository.pages.next() }
    call.answer(.sample([5, 4], total: .exactly(2)))
    await until { ids(browser) == [5, 4] }

    expect(browser.feed.total, .exactly(2))
  }

  @Test func `keys downwards on the way to an end that is not counted yet still lead there`()
    async throws
  {
    let browser = makeBrowser()
    browser.start()
    try await repository.pages.next().answer(.sample(page(1), total: .unknown, next: .number(2)))
    await until { browser.feed.head.count == 4 }
    browser.list.move(.last)
    let total = try await repository.totals.next()

    browser.list.didPressKey()
    browser.list.move(.down)
    total.answer(.exactly(1_000))
    await until { browser.viewport.selected == 999 }

    #expect(browser.feed.knowsEnd)
  }

  @Test func `where nobody can tell, it is said how far the list came, and the key goes on`()
    async throws
  {
    let browser = try await browser(showing: page(1), next: cursor("0"))
    let recorder = NoticeRecorder(browser)

    browser.list.move(.last)
    var id: Int64 = 10_000
    while recorder.notices.isEmpty {
      let call = try await repository.pages.next()
      let count = browser.feed.head.count
      id -= 100
      call.answer(.sample((id - 99...id).reversed(), total: .exactly(count), next: cursor("\(id)")))
      await until { browser.feed.head.count > count }
    }

    expect(recorder.notices, [.cameTo(row: 1_004)])
    expect(browser.viewport.selected, 1_003)
  }

  @Test func `a jump to a row that is not loaded reads until it is`() async throws {
    let browser = try await browser(showing: [9, 8, 7, 6], next: cursor("6"))

    browser.list.jump(to: 6)
    try await repository.pages.next().answer(.sample([5, 4, 3, 2], next: cursor("2")))
    await until { browser.feed.head.count == 8 }

    expect(browser.selected?.id.rawValue, 3)
  }

  @Test func `a page that failed keeps the products, and a retry brings it`() async throws {
    let browser = try await browser(showing: [9, 8, 7, 6], next: cursor("6"))
    try await repository.pages.next().fail(.unreachable(.timedOut))
    await until { browser.feed.phase == .failed(.unreachable(.timedOut)) }

    browser.retry()
    try await repository.pages.next().answer(.sample([5]))
    await until { browser.feed.phase == .ended }

    expect(ids(browser), [9, 8, 7, 6, 5])
  }

  @Test func `a query that failed says so, for the old rows hide where the error stands`()
    async throws
  {
    let browser = try await browser(showing: [9, 8])
    let recorder = NoticeRecorder(browser)

    browser.show(ProductQuery(text: "mug"))
    try await repository.pages.next().fail(.unreachable(.refused))
    await until { browser.feed.phase != .loading }

    expect(recorder.notices, [.failed(.unreachable(.refused))])
    expect(ids(browser), [9, 8])
  }

  @Test func `the spinner comes after a moment and goes with the answer`() async throws {
    let browser = makeBrowser()
    browser.start()
    let delay = try await clock.sleeps(of: .milliseconds(150)).next()
    #expect(!browser.spinner.isShown)

    delay.answer(())
    await until { browser.spinner.isShown }
    try await repository.pages.next().answer(.sample([1]))
    await until { !browser.spinner.isShown }

    expect(ids(browser), [1])
  }

  @Test func `an answer within a moment shows no spinner`() async throws {
    let browser = makeBrowser()
    browser.start()
    let delay = try await clock.sleeps(of: .milliseconds(150)).next()

    try await repository.pages.next().answer(.sample([1]))
    await until { browser.feed.phase == .ended }

    #expect(delay.isCancelled)
    #expect(!browser.spinner.isShown)
  }

  @Test func `a place is restored with its rows and its selection, without reading`() async throws {
    let browser = try await browser(showing: [9, 8, 7, 6])
    browser.list.move(.pageDown)
    let place = browser.list.snapshot
    browser.show(ProductQuery(text: "mug"))
    try await repository.pages.next().answer(.sample([3]))
    await until { !browser.feed.isStale }

    browser.restore(place)

    expect(ids(browser), [9, 8, 7, 6])
    expect(browser.selected?.id.rawValue, 7)
    expect(repository.pages.callCount, 2)
  }

  @Test func `grid and list show the same selected product`() async throws {
    let browser = try await browser(showing: [9, 8, 7, 6])
    browser.list.select(2)

    browser.toggleArrangement()
    browser.list.didLayOut(columns: 3, visibleRows: 1)

    expect(browser.arrangement, .grid)
    expect(browser.selected?.id.rawValue, 7)
  }
}
