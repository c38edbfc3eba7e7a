import MarketModel
import MarketViewModels
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct BrowserModelTests {
  private let repository = GatedProductRepository(answersCancelledCalls: false)
  private let clock = ManualClock()

  private func makeBrowser() -> BrowserModel {
    let browser = BrowserModel(
      repository: repository, arrangement: .list, pageSize: 4, clock: clock)
    browser.didLayOut(columns: 1, visibleRows: 2)
    return browser
  }

  /// A browser that shows these products, the first of them selected, with nothing on its way.
  private func browser(
    showing ids: some Sequence<Int64>, next: PagePosition? = nil
  ) async -> BrowserModel {
    let browser = makeBrowser()
    browser.start()
    await repository.pages.next().answer(.sample(ids, next: next))
    await until { !browser.feed.head.isEmpty }
    return browser
  }

  private func cursor(_ name: String) -> PagePosition { .after(PageCursor(rawValue: name)) }

  private func ids(_ browser: BrowserModel) -> [Int64] { browser.feed.head.map(\.id.rawValue) }

  @Test func `the first page shows its products and selects the first`() async {
    let browser = await browser(showing: [9, 8, 7])

    #expect(ids(browser) == [9, 8, 7])
    #expect(browser.selected?.id.rawValue == 9)
  }

  @Test func `what the repository can do is known after the start`() async {
    let browser = makeBrowser()

    browser.start()
    await until { browser.capabilities != nil }

    #expect(browser.capabilities == .full)
  }

  @Test func `the next page is asked for once, however long a key is held`() async {
    let browser = await browser(showing: [9, 8, 7, 6], next: cursor("6"))

    for _ in 0..<50 { browser.move(.down) }
    let call = await repository.pages.next()

    #expect(call.request.position == cursor("6"))
    #expect(repository.pages.callCount == 2)
  }

  @Test func `a cursor that is known no more costs no key`() async {
    let browser = await browser(showing: [9, 8, 7, 6], next: cursor("6"))
    browser.move(.down)

    await repository.pages.next().fail(.unknownCursor)
    let again = await repository.pages.next()
    again.answer(.sample([6, 5, 4]))
    await until { browser.feed.head.count == 6 }

    #expect(again.request.position == .number(2))
    #expect(browser.selected?.id.rawValue == 8)
  }

  @Test func `a page of an earlier query that comes late is dropped`() async {
    let browser = await browser(showing: [9, 8])
    browser.show(ProductQuery(text: "m"))
    let early = await repository.pages.next()
    browser.show(ProductQuery(text: "mug"))
    let late = await repository.pages.next()

    early.answer(.sample([5]))
    late.answer(.sample([3], next: cursor("3")))
    await until { !browser.feed.isStale }
    await repository.pages.next().answer(.sample([2]))
    await until { browser.feed.head.count == 2 }

    #expect(early.isCancelled)
    #expect(ids(browser) == [3, 2])
  }

  @Test func `a refresh keeps the selected product and says what is new`() async {
    let browser = await browser(showing: [9, 8, 7])
    let recorder = NoticeRecorder()
    browser.delegate = recorder
    browser.move(.down)

    browser.refresh()
    await repository.pages.next().answer(.sample([11, 10, 9, 8, 7]))
    await until { browser.feed.head.count == 5 }

    #expect(browser.selected?.id.rawValue == 8)
    #expect(recorder.notices == [.refreshed(newProducts: 2)])
  }

  @Test func `when the selected product goes its neighbour is selected`() async {
    let browser = await browser(showing: [9, 8, 7])
    browser.move(.down)

    browser.refresh()
    await repository.pages.next().answer(.sample([9, 7]))
    await until { browser.feed.head.count == 2 }

    #expect(browser.selected?.id.rawValue == 7)
  }

  @Test func `a refresh that fails is announced and changes nothing`() async {
    let browser = await browser(showing: [9, 8])
    let recorder = NoticeRecorder()
    browser.delegate = recorder

    browser.refresh()
    await repository.pages.next().fail(.unreachable(.refused))
    await until { !browser.feed.isRefreshing }

    #expect(recorder.notices == [.failed(.unreachable(.refused))])
    #expect(ids(browser) == [9, 8])
  }

  @Test func `a jump to the end loads page after page`() async {
    let browser = await browser(showing: [9, 8, 7, 6], next: cursor("6"))

    browser.move(.last)
    await repository.pages.next().answer(.sample([5, 4], next: cursor("4")))
    await repository.pages.next().answer(.sample([3], next: nil))
    await until { browser.feed.phase == .ended }

    #expect(browser.selected?.id.rawValue == 3)
  }

  @Test func `a counted move down reads on to a row that is not loaded`() async {
    let browser = await browser(showing: [9, 8, 7, 6], next: cursor("6"))

    browser.move(.down, times: 5)
    await repository.pages.next().answer(.sample([5, 4, 3, 2], next: nil))
    await until { browser.feed.head.count == 8 }

    #expect(browser.selected?.id.rawValue == 4)
  }

  @Test func `a burst of pages down leads as far as it says, loaded or not`() async {
    let browser = await browser(showing: [9, 8, 7, 6], next: cursor("6"))
    browser.didLayOut(columns: 1, visibleRows: 2)

    for _ in 0..<3 {
      browser.didPressKey()
      browser.move(.pageDown)
    }
    await repository.pages.next().answer(.sample([5, 4, 3, 2], next: nil))
    await until { browser.feed.head.count == 8 }

    #expect(browser.selected?.id.rawValue == 3)
  }

  @Test func `a key upwards ends a jump and leads up from where it came to`() async {
    let browser = await browser(showing: [9, 8, 7, 6], next: cursor("6"))
    browser.move(.last)

    browser.didPressKey()
    browser.move(.up)
    await repository.pages.next().answer(.sample([5, 4, 3, 2], next: nil))
    await until { browser.feed.head.count == 8 }

    #expect(browser.selected?.id.rawValue == 7)
  }

  @Test func `any other key ends a jump to the end`() async {
    let browser = await browser(showing: [9, 8, 7, 6], next: cursor("6"))
    browser.move(.last)

    browser.didPressKey()
    await repository.pages.next().answer(.sample([5, 4, 3, 2], next: cursor("2")))
    await until { browser.feed.head.count == 8 }

    #expect(browser.selected?.id.rawValue == 6)
  }

  @Test func `a jump to a row that is not loaded reads until it is`() async {
    let browser = await browser(showing: [9, 8, 7, 6], next: cursor("6"))

    browser.jump(to: 6)
    await repository.pages.next().answer(.sample([5, 4, 3, 2], next: cursor("2")))
    await until { browser.feed.head.count == 8 }

    #expect(browser.selected?.id.rawValue == 3)
  }

  @Test func `a page that failed keeps the products, and a retry brings it`() async {
    let browser = await browser(showing: [9, 8, 7, 6], next: cursor("6"))
    await repository.pages.next().fail(.unreachable(.timedOut))
    await until { browser.feed.phase == .failed(.unreachable(.timedOut)) }

    browser.retry()
    await repository.pages.next().answer(.sample([5]))
    await until { browser.feed.phase == .ended }

    #expect(ids(browser) == [9, 8, 7, 6, 5])
  }

  @Test func `a query that failed says so, for the old rows hide where the error stands`() async {
    let browser = await browser(showing: [9, 8])
    let recorder = NoticeRecorder()
    browser.delegate = recorder

    browser.show(ProductQuery(text: "mug"))
    await repository.pages.next().fail(.unreachable(.refused))
    await until { browser.feed.phase != .loading }

    #expect(recorder.notices == [.failed(.unreachable(.refused))])
    #expect(ids(browser) == [9, 8])
  }

  @Test func `the spinner comes after a moment and goes with the answer`() async {
    let browser = makeBrowser()
    browser.start()
    let delay = await clock.sleeps(of: .milliseconds(150)).next()
    #expect(!browser.spinner.isShown)

    delay.answer(())
    await until { browser.spinner.isShown }
    await repository.pages.next().answer(.sample([1]))
    await until { !browser.spinner.isShown }

    #expect(ids(browser) == [1])
  }

  @Test func `an answer within a moment shows no spinner`() async {
    let browser = makeBrowser()
    browser.start()
    let delay = await clock.sleeps(of: .milliseconds(150)).next()

    await repository.pages.next().answer(.sample([1]))
    await until { browser.feed.phase == .ended }

    #expect(delay.isCancelled)
    #expect(!browser.spinner.isShown)
  }

  @Test func `a place is restored with its rows and its selection, without reading`() async {
    let browser = await browser(showing: [9, 8, 7, 6])
    browser.move(.pageDown)
    let place = browser.place
    browser.show(ProductQuery(text: "mug"))
    await repository.pages.next().answer(.sample([3]))
    await until { !browser.feed.isStale }

    browser.restore(place)

    #expect(ids(browser) == [9, 8, 7, 6])
    #expect(browser.selected?.id.rawValue == 7)
    #expect(repository.pages.callCount == 2)
  }

  @Test func `grid and list show the same selected product`() async {
    let browser = await browser(showing: [9, 8, 7, 6])
    browser.select(2)

    browser.toggleArrangement()
    browser.didLayOut(columns: 3, visibleRows: 1)

    #expect(browser.arrangement == .grid)
    #expect(browser.selected?.id.rawValue == 7)
  }
}
