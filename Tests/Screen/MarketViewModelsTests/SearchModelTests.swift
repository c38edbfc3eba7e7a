import EditorKit
import MarketModel
import MarketViewModels
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct SearchModelTests {
  private let repository = GatedProductRepository(answersCancelledCalls: false)
  private let clock = ManualClock()
  /// The waits after each letter; the spinner's are as long, and come only when a page is asked for.
  private var pauses: Gate<Duration, Void> { clock.sleeps(of: .milliseconds(150)) }

  /// A search over a browser that shows the products 9, 8 and 7.
  private func begin() async -> (SearchModel, BrowserModel) {
    let browser = BrowserModel(
      repository: repository, arrangement: .list, pageSize: 4, clock: clock)
    browser.didLayOut(columns: 1, visibleRows: 2)
    browser.start()
    _ = await pauses.next()
    await repository.pages.next().answer(.sample([9, 8, 7]))
    await until { browser.feed.phase == .ended }
    return (SearchModel(browser: browser, clock: clock), browser)
  }

  /// Answers a search that was left, and then a refresh.
  private func refresh(
    _ browser: BrowserModel, afterLate call: GatedCall<PageRequest, ProductPage>
  ) async {
    call.answer(.sample([3]))
    browser.refresh()
    await repository.pages.next().answer(.sample([10, 9, 8, 7]))
    await until { browser.feed.head.count == 4 }
  }

  private func ids(_ browser: BrowserModel) -> [Int64] { browser.feed.head.map(\.id.rawValue) }

  @Test func `nothing is asked for before typing rests`() async {
    let (search, browser) = await begin()

    search.edit { $0.type("m") }
    let pause = await pauses.next()
    #expect(repository.pages.callCount == 1)
    pause.answer(())
    let call = await repository.pages.next()

    #expect(call.request.query.text == "m")
    #expect(ids(browser) == [9, 8, 7])
  }

  @Test func `each letter takes the question of the one before back`() async {
    let (search, _) = await begin()

    search.edit { $0.type("m") }
    let first = await pauses.next()
    search.edit { $0.type("ug") }
    await pauses.next().answer(())
    let call = await repository.pages.next()

    #expect(first.isCancelled)
    #expect(call.request.query.text == "mug")
  }

  @Test func `only the rows of the last query are shown`() async {
    let (search, browser) = await begin()
    search.edit { $0.type("m") }
    search.confirm()
    let early = await repository.pages.next()
    search.edit { $0.type("ug") }
    search.confirm()
    let late = await repository.pages.next()

    late.answer(.sample([3]))
    await until { !browser.feed.isStale }
    early.answer(.sample([5]))
    browser.refresh()
    await repository.pages.next().answer(.sample([4, 3]))
    await until { browser.feed.head.count == 2 }

    #expect(early.isCancelled)
    #expect(ids(browser) == [4, 3])
  }

  @Test func `Enter asks at once, without the spaces around`() async {
    let (search, _) = await begin()

    search.edit { $0.type("  mug ") }
    let pause = await pauses.next()
    search.confirm()
    let call = await repository.pages.next()

    #expect(pause.isCancelled)
    #expect(call.request.query.text == "mug")
  }

  @Test func `Esc brings back what was shown, where it was`() async {
    let (_, browser) = await begin()
    browser.move(.down)
    let search = SearchModel(browser: browser, clock: clock)
    search.edit { $0.type("mug") }
    search.confirm()
    await repository.pages.next().answer(.sample([3]))
    await until { !browser.feed.isStale }

    search.cancel()

    #expect(ids(browser) == [9, 8, 7])
    #expect(browser.selected?.id.rawValue == 8)
    #expect(browser.feed.query.text.isEmpty)
  }

  @Test func `Esc before an answer leaves the rows and drops the answer`() async {
    let (search, browser) = await begin()
    search.edit { $0.type("mug") }
    search.confirm()
    let call = await repository.pages.next()

    search.cancel()
    await refresh(browser, afterLate: call)

    #expect(call.isCancelled)
    #expect(ids(browser) == [10, 9, 8, 7])
  }

  @Test func `an answer that comes after Esc leaves the selection where it was`() async {
    let (_, browser) = await begin()
    browser.move(.down)
    let search = SearchModel(browser: browser, clock: clock)
    search.edit { $0.type("mug") }
    search.confirm()
    let call = await repository.pages.next()

    search.cancel()
    await refresh(browser, afterLate: call)

    #expect(browser.selected?.id.rawValue == 8)
  }

  @Test func `a failure that comes after Esc is not told`() async {
    let (search, browser) = await begin()
    let recorder = NoticeRecorder()
    browser.delegate = recorder
    search.edit { $0.type("mug") }
    search.confirm()
    let call = await repository.pages.next()

    search.cancel()
    browser.refresh()
    let refresh = await repository.pages.next()
    call.fail(.unreachable(.timedOut))
    refresh.answer(.sample([10, 9, 8, 7]))
    await until { browser.feed.head.count == 4 }

    #expect(recorder.notices == [.refreshed(newProducts: 1)])
  }

  @Test func `leaving the results shows all products again`() async {
    let (search, browser) = await begin()
    #expect(!browser.showsLess)
    search.edit { $0.type("mug") }
    search.confirm()
    await repository.pages.next().answer(.sample([3]))
    await until { !browser.feed.isStale }

    #expect(browser.showsLess)
    browser.showMore()
    let call = await repository.pages.next()

    #expect(call.request.query == ProductQuery())
  }
}
