import EditorKit
import Expectations
import MarketModel
import MarketViewModels
import PersonalStore
import SellingTestSupport
import TestSupport
import Testing

struct SearchModelTests {
  private let repository = GatedProductRepository(answersCancelledCalls: false)
  private let clock = ManualClock()
  /// The waits after each letter; the spinner's are as long, and come only when a page is asked for.
  private var pauses: Gate<Duration, Void> { clock.sleeps(of: .milliseconds(150)) }

  /// A search over a browser that shows the products 9, 8 and 7.
  private func begin(marketNames: [String] = []) async throws -> (SearchModel, BrowserModel) {
    let browser = BrowserModel(
      repository: repository, arrangement: .list, pageSize: 4, clock: clock)
    browser.list.didLayOut(columns: 1, visibleRows: 2)
    browser.start()
    _ = try await pauses.next()
    try await repository.pages.next().answer(.sample([9, 8, 7]))
    await until { browser.feed.phase == .ended }
    return (search(in: browser, marketNames: marketNames), browser)
  }

  private func search(
    in browser: BrowserModel, personal: PersonalFile? = nil, marketNames: [String] = []
  ) -> SearchModel {
    let searching = SearchController(browser: browser, clock: clock) {
      Timestamp(seconds: 1_000_000)
    }
    return SearchModel(
      searching: searching, personal: personal, language: .english, marketNames: marketNames)
  }

  /// A search line over these favorites.
  private func begin(favorites personal: PersonalFile) async throws -> SearchModel {
    let (_, browser) = try await begin()
    return search(in: browser, personal: personal)
  }

  /// Answers a search that was left, and then a refresh.
  private func refresh(
    _ browser: BrowserModel, afterLate call: GatedCall<PageRequest, ProductPage>
  ) async throws {
    call.answer(.sample([3]))
    browser.refresh()
    try await repository.pages.next().answer(.sample([10, 9, 8, 7]))
    await until { browser.feed.head.count == 4 }
  }

  private func ids(_ browser: BrowserModel) -> [Int64] { browser.feed.head.map(\.id.rawValue) }

  @Test func `nothing is asked for before typing rests`() async throws {
    let (search, browser) = try await begin()

    search.edit { $0.type("m") }
    let pause = try await pauses.next()
    expect(repository.pages.callCount, 1)
    pause.answer(())
    let call = try await repository.pages.next()

    expect(call.request.query.text, "m")
    expect(ids(browser), [9, 8, 7])
  }

  @Test func `each letter takes the question of the one before back`() async throws {
    let (search, _) = try await begin()

    search.edit { $0.type("m") }
    let first = try await pauses.next()
    search.edit { $0.type("ug") }
    try await pauses.next().answer(())
    let call = try await repository.pages.next()

    #expect(first.isCancelled)
    expect(call.request.query.text, "mug")
  }

  @Test func `Enter asks at once, without the spaces around`() async throws {
    let (search, _) = try await begin()

    search.edit { $0.type("  mug ") }
    let pause = try await pauses.next()
    _ = search.confirm()
    let call = try await repository.pages.next()

    #expect(pause.isCancelled)
    expect(call.request.query.text, "mug")
  }

  @Test func `Esc brings back what was shown, where it was`() async throws {
    let (_, browser) = try await begin()
    browser.list.move(.down)
    let search = search(in: browser)
    search.edit { $0.type("mug") }
    _ = search.confirm()
    try await repository.pages.next().answer(.sample([3]))
    await until { !browser.feed.isStale }

    search.cancel()

    expect(ids(browser), [9, 8, 7])
    expect(browser.selected?.id.rawValue, 8)
    #expect(browser.feed.query.text.isEmpty)
  }

  @Test func `Esc before an answer leaves the rows and drops the answer`() async throws {
    let (search, browser) = try await begin()
    search.edit { $0.type("mug") }
    _ = search.confirm()
    let call = try await repository.pages.next()

    search.cancel()
    try await refresh(browser, afterLate: call)

    #expect(call.isCancelled)
    expect(ids(browser), [10, 9, 8, 7])
  }

  @Test func `an answer that comes after Esc leaves the selection where it was`() async throws {
    let (_, browser) = try await begin()
    browser.list.move(.down)
    let search = search(in: browser)
    search.edit { $0.type("mug") }
    _ = search.confirm()
    let call = try await repository.pages.next()

    search.cancel()
    try await refresh(browser, afterLate: call)

    expect(browser.selected?.id.rawValue, 8)
  }

  @Test func `a failure that comes after Esc is not told`() async throws {
    let (search, browser) = try await begin()
    let recorder = NoticeRecorder(browser)
    search.edit { $0.type("mug") }
    _ = search.confirm()
    let call = try await repository.pages.next()

    search.cancel()
    browser.refresh()
    let refresh = try await repository.pages.next()
    call.fail(.unreachable(.timedOut))
    refresh.answer(.sample([10, 9, 8, 7]))
    await until { browser.feed.head.count == 4 }

    expect(recorder.notices, [.refreshed(newProducts: 1)])
  }

  @Test func `leaving the results shows all products again`() async throws {
    let (search, browser) = try await begin()
    #expect(!browser.showsLess)
    search.edit { $0.type("mug") }
    _ = search.confirm()
    try await repository.pages.next().answer(.sample([3]))
    await until { !browser.feed.isStale }

    #expect(browser.showsLess)
    browser.showAll()
    let call = try await repository.pages.next()

    expect(call.request.query, ProductQuery())
  }

  // MARK: The language

  @Test func `all that a line says is asked for at once`() async throws {
    let (search, _) = try await begin()

    search.edit { $0.type(#"lamp <200000 sale -x "a b" new:7d sort:price-asc @#3"#) }
    _ = search.confirm()
    let query = try await repository.pages.next().request.query

    expect(
      query,
      SearchRequest(reading: #"lamp <200000 sale -x "a b" new:7d sort:price-asc"#)
        .query(sellers: [Seller.ID(rawValue: 3)], now: Timestamp(seconds: 1_000_000)))
  }

  @Test func `a keyword of which the rest is missing is waited for, and Enter takes it as a word`()
    async throws
  {
    let (search, browser) = try await begin()

    search.edit { $0.type("sort:pri") }
    try await pauses.next().answer(())
    await until { pauses.untakenCount == 0 }
    #expect(repository.pages.callCount == 1 && browser.feed.query == ProductQuery())
    _ = search.confirm()

    try await expect(repository.pages.next().request.query.text, "sort:pri")
  }

  @Test func `the line says what the menu and the box have set`() async throws {
    let (_, browser) = try await begin()
    browser.show(
      ProductQuery(
        text: "mug", price: PriceRange(minimum: 100), order: .cheapest, filters: [.reduced],
        sellers: [Seller.ID(rawValue: 3)]))

    expect(search(in: browser).editor.text, "mug >1 @#3 sale sort:price-asc")
  }

  @Test func `words begin behind a filter`() async throws {
    let (_, browser) = try await begin()
    browser.show(ProductQuery(sellers: [Seller.ID(rawValue: 3)]))

    expect(search(in: browser).editor.text, "@#3 ")
  }

  @Test func `what was asked is said again as it was, though a query knows numbers and times`()
    async throws
  {
    let (first, browser) = try await begin()
    let line = #""a b" mug @kim new:1w"#
    let searching = first.searching
    first.edit { $0.type(line) }
    _ = first.confirm()
    try await repository.pages.next().answer(
      page(of: [Seller(id: Seller.ID(rawValue: 5), name: "kim")]))
    let query = try await repository.pages.next().request.query

    expect(query.sellers, [Seller.ID(rawValue: 5)])
    expect(SearchModel(searching: searching, language: .english).editor.text, line)
    var other = browser.feed.query
    other.filters = [.inStock]
    browser.show(other)
    expect(
      SearchModel(searching: searching, language: .english).editor.text,
      #""a b" mug @kim stock new:1w"#)
  }

  @Test func `what the market cannot answer is left out and told`() async throws {
    var capabilities = RepositoryCapabilities.full
    (capabilities.parts, capabilities.orders) = ([.words], [.newest])
    let repository = GatedProductRepository(capabilities: capabilities)
    let browser = BrowserModel(
      repository: repository, arrangement: .list, pageSize: 4, clock: clock)
    browser.start()
    try await repository.pages.next().answer(.sample([9]))
    await until { browser.capabilities != nil && !browser.feed.isStale }
    let search = search(in: browser)

    search.edit { $0.type("mug <5 sale sort:price-asc") }
    _ = search.confirm()
    let query = try await repository.pages.next().request.query

    expect(query, ProductQuery(text: "mug"))
    expect(
      search.searching.notes, [.unanswered(.price), .unanswered(.reduced), .unsorted(.cheapest)])
    search.cancel()
    #expect(search.searching.notes.isEmpty)
  }

  // MARK: Sellers

  private func page(of sellers: [Seller]) -> ProductPage {
    ProductPage(
      products: sellers.enumerated().map { .sample(id: Int64(100 + $0), seller: $1) },
      total: .exactly(sellers.count), next: nil)
  }

  private static func seller(_ number: Int64, _ name: String) -> Seller {
    Seller(id: Seller.ID(rawValue: number), name: name)
  }

  @Test(
    arguments: [
      ("@kim", [3, 5]), ("@KIM", [4]), ("@Kim", [3, 4, 5]), ("@\"kim lee\"", [6]),
      ("@kim @#9", [3, 5, 9]),
    ] as [(String, [Int64])])
  func `all who are called so are meant, exactly or else in any case of letters`(
    line: String, numbers: [Int64]
  ) async throws {
    let (search, _) = try await begin()

    search.edit { $0.type(line) }
    _ = search.confirm()
    let lookup = try await repository.pages.next()
    lookup.answer(
      page(of: [
        Self.seller(5, "kim"), Self.seller(4, "KIM"), Self.seller(3, "kim"),
        Self.seller(6, "kim lee"),
      ]))
    let query = try await repository.pages.next().request.query

    #expect(lookup.request.query.text.lowercased().hasPrefix("kim"))
    expect(query.sellers.map(\.rawValue), numbers)
  }

  @Test func `nobody of a name is told, and nothing is found`() async throws {
    let (search, browser) = try await begin()

    search.edit { $0.type("@nobody mug") }
    _ = search.confirm()
    try await repository.pages.next().answer(page(of: [Self.seller(1, "somebody")]))
    await until { browser.feed.phase == .ended && !browser.feed.isStale && browser.feed.count == 0 }

    while pauses.untakenCount > 0 { try await pauses.next().answer(()) }
    for _ in 0..<10 { await Task.yield() }
    #expect(!browser.spinner.isShown)
    expect(search.searching.notes, [.unknownSeller("nobody")])
    expect(search.searching.request.line(in: .english), "mug @nobody")
  }

  @Test func `a seller who cannot be looked up says why`() async throws {
    let (search, browser) = try await begin()

    search.edit { $0.type("@kim") }
    _ = search.confirm()
    try await repository.pages.next().fail(.unreachable(.timedOut))
    await until { browser.feed.count == 0 }

    expect(search.searching.notes, [.failed(.unreachable(.timedOut))])
  }

  // MARK: Completion

  @Test func `Tab goes through the keywords that fit, and back`() async throws {
    let (search, _) = try await begin()
    search.edit { $0.type("mug s") }

    search.complete()
    expect(search.editor.text, "mug sale")
    search.complete()
    expect(search.editor.text, "mug stock")
    search.complete(by: -1)
    expect(search.editor.text, "mug sale")
    search.edit { $0.type(" ") }

    expect(search.completion, nil)
  }

  @Test func `Tab completes sellers of the rows and of the market, and the names of markets`()
    async throws
  {
    let (search, _) = try await begin(marketNames: ["home", "my stall"])
    search.edit { $0.type("@Le") }

    search.complete()
    try await repository.pages.next().answer(
      page(of: [Self.seller(5, "Lee Ann"), Self.seller(6, "leo"), Self.seller(7, "Bo")]))
    await until { search.completion?.candidates.count == 2 }
    expect(search.editor.text, #"@"Lee Ann""#)
    search.complete()
    expect(search.editor.text, "@leo")
    search.edit { $0.type(" in:m") }
    search.complete()

    expect(search.editor.text, #"@leo in:"my stall""#)
  }

  @Test func `sellers that come after more was typed change nothing`() async throws {
    let (search, _) = try await begin()
    search.edit { $0.type("@le") }
    search.complete()
    let lookup = try await repository.pages.next()
    search.edit { $0.type("x") }

    lookup.answer(page(of: [Self.seller(6, "leo")]))
    search.complete()
    try await repository.pages.next().answer(page(of: []))

    expect(search.editor.text, "@lex")
  }

  // MARK: What is kept

  @Test func `the arrows bring back what was asked before, and at last what was typed`()
    async throws
  {
    let personal = PersonalFile.inMemory()
    for text in ["one <5", "two"] { await personal.didSearch(for: text) }
    let search = try await begin(favorites: personal)
    search.edit { $0.type("th") }
    await until {
      search.recallOlder()
      return search.editor.text == "two"
    }

    search.recallOlder()
    expect(search.editor.text, "one <5")
    search.recallOlder()
    expect(search.editor.text, "one <5")
    search.recallNewer()
    expect(search.editor.text, "two")
    search.recallNewer()

    expect(search.editor.text, "th")
  }

  @Test func `Enter keeps what was asked, and an empty line is not kept`() async throws {
    let personal = PersonalFile.inMemory()
    await personal.didSearch(for: "one")
    let search = try await begin(favorites: personal)

    _ = search.confirm()
    search.edit { $0.type(" two  sale ") }
    _ = search.confirm()

    await poll { await personal.pastSearches(atMost: 9).count >= 2 }
    await expect(personal.pastSearches(atMost: 9), ["two  sale", "one"])
  }

  @Test func `a search is saved in the words of the language, and comes back into the line`()
    async throws
  {
    let personal = PersonalFile.inMemory()
    let search = try await begin(favorites: personal)
    search.edit { $0.type("전등 할인") }

    expect(search.lineToSave, "전등 sale")
    search.replace(with: "mug <5")

    expect(search.editor.text, "mug <5")
  }
}
