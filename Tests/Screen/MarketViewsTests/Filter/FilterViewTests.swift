import EditorKit
import Expectations
import MarketModel
import MarketStrings
import MarketViewModels
import MarketViews
import SafeTextKit
import SellingTestSupport
import TerminalKit
import TestSupport
import Testing

struct FilterViewTests {
  private func stage(_ capabilities: RepositoryCapabilities = .full) async throws -> Stage {
    let stage = Stage(repository: GatedProductRepository(capabilities: capabilities))
    try await stage.show(Product.samples([2, 1]))
    stage.press("f")
    return stage
  }

  private func type(_ text: String, on stage: Stage) {
    for character in text { stage.press(KeyPress(character)) }
  }

  @Test func `fields are filled by keys, and the line says the same`() async throws {
    let stage = try await stage()

    type("mug", on: stage)
    stage.press(.down)
    type("100", on: stage)
    stage.press(.tab, .tab, .right, .down, .down, .down, .down, " ", .enter)
    let query = try await stage.repository.pages.next().request.query

    expect(
      query,
      ProductQuery(
        text: "mug", price: PriceRange(minimum: 10_000), currency: .krw, filters: [.reduced]))
    #expect(stage.top === stage.browser)
    stage.press("/")
    expect((stage.top as? SearchModel)?.editor.text, "mug >100 원 할인")
  }

  @Test func `many choices are a list that typing narrows, and Enter never closes the filter`()
    async throws
  {
    let stage = try await stage()
    let filter = try #require(stage.top as? FilterModel)
    let phrase = try #require(ProductField.category.phrase(of: "sports"))
    filter.focus(.choice(.category))

    stage.press(.enter)
    type(Strings(.korean)[phrase].string, on: stage)
    let lines = stage.lines(80, 24)
    stage.press(.enter)
    await until { stage.top === filter }

    expect(filter.request.choices[.category], ["sports"])
    #expect(lines.contains { $0.contains("▌ 스포츠") })
    stage.press(.enter)
    #expect(stage.top is ChoiceModel)
    stage.press(.escape)
    await until { stage.top === filter }
    stage.press(.control("s"))
    #expect(stage.top === stage.browser)
  }

  @Test func `what the market cannot answer says so at the end of its field`() async throws {
    var capabilities = RepositoryCapabilities.full
    (capabilities.parts, capabilities.orders) = ([.words], [.newest])
    let stage = try await stage(capabilities)

    let lines = stage.lines(80, 24, .english)

    expect(lines.count { $0.contains("not in this market") }, 11)
    expect(lines.first { $0.contains("Words") }?.contains("not in"), false)
  }

  @Test func `a click goes to a field, chooses in it, and beside the box leaves it`() async throws {
    let stage = try await stage()
    let row = try #require(stage.lines(80, 24).firstIndex { $0.contains("할인 중") })

    stage.click(40, row)
    expect((stage.top as? FilterModel)?.focus, .sale)
    stage.click(40, row)
    expect((stage.top as? FilterModel)?.request.filters, [.reduced])
    stage.click(1, 22)

    #expect(stage.top === stage.browser && stage.browser.feed.query.filters == [.reduced])
  }

  @Test func `an arrow completes a known place, and Tab goes on to the next field`() async throws {
    let stage = Stage()
    var known = Product.sample(id: 3)
    known.place = "Seoul, Mapo"
    try await stage.show([known])
    stage.press("f")
    let box = stage.top as? FilterModel
    box?.focus(.place)

    type("seo", on: stage)
    let begun = stage.lines(80, 24, .english)
    stage.press(.tab)
    #expect(box?.request.place == "seo" && box?.focus == .sale)
    stage.press(.backTab, .right)

    #expect(begun.contains { $0.contains(" seo → Seoul, Mapo") })
    #expect(begun[23].contains("→ Complete"))
    #expect(box?.request.place == "Seoul, Mapo" && box?.focus == .place)
  }

  @Test func `Esc leaves all as it was`() async throws {
    let stage = try await stage()

    type("mug", on: stage)
    stage.press(.escape)

    #expect(stage.top === stage.browser && stage.browser.feed.query == ProductQuery())
  }
}
