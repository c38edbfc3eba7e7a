import EditorKit
import Expectations
import MarketModel
import MarketViewModels
import SellingTestSupport
import TestSupport
import Testing

struct FilterModelTests {
  private let repository: GatedProductRepository
  private let clock = ManualClock()

  init() { repository = GatedProductRepository() }

  /// A box over products that a line asked for.
  private func box(
    _ line: String = "", over repository: GatedProductRepository? = nil
  ) async throws -> FilterModel {
    let repository = repository ?? self.repository
    let browser = BrowserModel(
      repository: repository, arrangement: .list, pageSize: 4, clock: clock)
    browser.start()
    try await repository.pages.next().answer(.sample([3, 2, 1]))
    await until { browser.capabilities != nil && !browser.feed.isStale }
    let searching = SearchController(browser: browser, clock: clock) {
      Timestamp(seconds: 1_000_000)
    }
    if !line.isEmpty { searching.ask(for: SearchRequest(reading: line)) }
    return FilterModel(searching: searching)
  }

  private func type(_ text: String, into field: FilterModel.Field, of box: FilterModel) {
    box.focus(field)
    box.edit(TextChange { $0.type(text) })
  }

  @Test func `the fields say what the line says`() async throws {
    let line = #"lamp "a b" -x 1..2.5 usd @#3 stock sale new:3d sort:price-asc"#
    let box = try await box(line)

    expect(box.request, SearchRequest(reading: line))
    expect(box.editor(of: .words)?.text, #"lamp "a b" -x"#)
    #expect(box.editor(of: .priceFrom)?.text == "1" && box.editor(of: .priceTo)?.text == "2.5")
    expect(box.editor(of: .seller)?.text, "@#3")
    expect(box.choice(of: .age), SearchAge(3, .day).map(FilterModel.Choice.age))
    expect(box.choice(of: .order), .order(.cheapest))
  }

  @Test func `a bound is read as prices are, and names its currency`() async throws {
    let box = try await box()

    type("$12,50", into: .priceFrom, of: box)
    #expect(box.request.price.minimum == 1_250 && box.request.currency == .usd)
    type("1,234.567", into: .priceTo, of: box)
    expect(box.request.price.maximum, nil)
    expect(box.problem(of: .priceTo), .ambiguous(decimal: "1,234.567", grouped: "1,234,567"))

    box.focus(.currency)
    while box.choice(of: .currency) != .answers(["KRW"], of: .currency) { box.choose(by: 1) }
    expect(box.problem(of: .priceFrom), .otherCurrency(.usd, instead: .krw))
    expect(box.request.price, .any)
  }

  @Test func `each field changes its part of the request, and nothing else`() async throws {
    let box = try await box("old")

    type(" sale -x", into: .words, of: box)
    type("100", into: .priceFrom, of: box)
    type("250.5", into: .priceTo, of: box)
    type("kim #4", into: .seller, of: box)
    for (field, steps) in [
      (FilterModel.Field.currency, 2), (.sale, 1), (.stock, 1), (.age, 2), (.order, 1), (.scope, 1),
    ] {
      box.focus(field)
      for _ in 0..<steps { box.choose(by: 1) }
    }

    expect(
      box.request.line(in: .english),
      #"old "sale" -x 100..250.5 usd @kim @#4 stock sale new:7d sort:price-asc in:all"#)
  }

  @Test func `a field is cleared, and choices go round`() async throws {
    let box = try await box("lamp 1..2 usd sale new:3d")

    for field in FilterModel.Field.allCases {
      box.focus(field)
      box.clear()
    }
    #expect(box.request.isEmpty)
    box.focus(.currency)
    box.choose(by: -1)

    expect(box.request.currency, .usd)
  }

  @Test func `the focus goes round the fields`() async throws {
    let box = try await box()

    box.moveFocus(by: -1)
    #expect(box.focus == .scope && box.isOnChoice)
    box.moveFocus(by: 1)

    #expect(box.focus == .words && !box.isOnChoice)
  }

  @Test func `what the market cannot answer has its reason, and is not chosen`() async throws {
    var capabilities = RepositoryCapabilities.full
    (capabilities.parts, capabilities.orders) = ([.words], [.newest])
    let box = try await box(over: GatedProductRepository(capabilities: capabilities))

    expect(box.note(for: .words), nil)
    expect(box.note(for: .priceFrom), .unanswered(.price))
    expect(box.note(for: .order(.cheapest)), .unsorted(.cheapest))
    for field in [FilterModel.Field.sale, .order] {
      box.focus(field)
      box.choose(by: 1)
    }

    #expect(box.request.isEmpty)
  }

  @Test func `a choice that the market does not have is left for the first one`() async throws {
    var capabilities = RepositoryCapabilities.full
    capabilities.parts.subtract([.filter(.available), .filter(.reserved), .filter(.sold)])
    for step in [1, -1] {
      let searching = try await box(over: GatedProductRepository(capabilities: capabilities))
        .searching
      searching.browser.show(ProductQuery(filters: [.reserved]))
      let box = FilterModel(searching: searching)
      box.focus(.stock)
      expect(box.choice(of: .stock), .filter(.reserved))
      expect(box.note(for: box.choice(of: .stock)), .unanswered(.filter(.reserved)))

      box.choose(by: step)

      #expect(box.choice(of: .stock) == .any && box.request.isEmpty)
    }
  }

  @Test func `results follow after a moment, and Esc brings back what was there`() async throws {
    let box = try await box()
    let browser = box.searching.browser
    box.focus(.sale)

    box.choose(by: 1)
    let pauses = clock.sleeps(of: .milliseconds(150))
    while repository.pages.callCount < 2 {
      if pauses.untakenCount > 0 { try await pauses.next().answer(()) }
      await Task.yield()
    }
    expect(browser.feed.query.filters, [.reduced])
    box.cancel()

    #expect(browser.feed.query == ProductQuery() && browser.feed.count == 3)
  }
}
