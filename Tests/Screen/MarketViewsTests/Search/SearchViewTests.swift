import EditorKit
import Expectations
import MarketModel
import MarketStrings
import MarketViewModels
import MarketViews
import PersonalStore
import SafeTextKit
import SellingTestSupport
import TerminalKit
import TestSupport
import Testing

struct SearchViewTests {
  private func stage(_ capabilities: RepositoryCapabilities = .full) async throws -> Stage {
    let stage = Stage(repository: GatedProductRepository(capabilities: capabilities))
    try await stage.show(Product.samples([2, 1]))
    return stage
  }

  private func type(_ text: String, on stage: Stage) {
    for character in text { stage.press(KeyPress(character)) }
  }

  @Test(arguments: [Language.korean, .english])
  func `F1 tells it form by form, and hides it again`(language: Language) async throws {
    let stage = try await stage()
    stage.press("/", .function(1))

    let lines = stage.lines(80, 24, language)

    for form in SearchSyntax.allCases {
      let line = lines.first { $0.hasPrefix(" " + form.sample(language).string) }
      expect(line?.hasSuffix(Strings(language)[form.meaning].string), true)
    }
    stage.press(.function(1))
    #expect(stage.lines(80, 24, language)[21].hasPrefix(" " + Strings(language)[.search].string))
  }

  @Test(arguments: SearchSyntax.allCases)
  func `every form that is told is understood in both languages`(form: SearchSyntax) {
    for language in Language.allCases {
      let sample = form.sample(language).string
      let request = SearchRequest(reading: sample)

      #expect(!request.isEmpty && request.line(in: language.ofSearch) == sample)
    }
  }

  @Test func `what may come next stands under the line, the chosen one marked`() async throws {
    let stage = try await stage()
    stage.press("/")
    type("sort:", on: stage)

    stage.press(.tab)
    let canvas = stage.screen(80, 24, .english).draw()

    #expect(
      canvas.lines[22].hasPrefix(" sort:price-asc  sort:price-desc  sort:discount  sort:newest"))
    let theme = Theme(.dark, strikesThrough: true)
    expect(canvas[CellPoint(column: 1, row: 22)].style, theme.barAccent)
    expect(canvas[CellPoint(column: 17, row: 22)].style, theme.barSecondary)
  }

  @Test func `a place becomes one of those that are loaded, in search line and filter box`()
    async throws
  {
    let stage = Stage()
    var products = Product.samples([3, 2, 1])
    (products[0].place, products[1].place) = ("Seoul, Mapo", "Busan")
    products[2].place = "seoul, mapo"
    try await stage.show(products)
    stage.press("/")
    type("near:", on: stage)

    stage.press(.tab)
    let offered = stage.lines(80, 24, .english)[22]
    stage.press(.tab)
    let line = (stage.top as? SearchModel)?.editor.text
    stage.press(.escape, "f")
    for _ in 1...6 { stage.press(.down) }
    type("bu", on: stage)
    let begun = stage.lines(80, 24, .english)
    stage.press(.right)

    #expect(offered.contains("Busan") && offered.contains("Mapo\""))
    expect(line, "지역:\"Seoul, Mapo\"")
    #expect(begun.contains { $0.contains("Place        ▸  bu → Busan") })
    expect((stage.top as? FilterModel)?.request.place, "Busan")
  }

  @Test func `what this market cannot do is said under the line`() async throws {
    var capabilities = RepositoryCapabilities.full
    capabilities.parts = [.words]
    let stage = try await stage(capabilities)
    stage.press("/")

    type("mug <5", on: stage)
    stage.press(.enter, "/")
    type(" <5", on: stage)
    _ = (stage.top as? SearchModel)?.confirm()

    expect(stage.lines(80, 24, .english)[22], " This market does not support: price")
    stage.press("/", .control("u"))
    type("cat:sports near:Seoul is:available", on: stage)
    _ = (stage.top as? SearchModel)?.confirm()
    #expect(
      stage.lines(80, 24, .english)[22].hasPrefix(
        " This market does not support: Category · This market does not support: Place"))
  }

  @Test func `a search is saved under a name, opened from the list, and forgotten`() async throws {
    let stage = try await stage()
    let personal = PersonalFile.inMemory()
    stage.navigator.program.personal = personal
    stage.press("/")
    type("mug sale", on: stage)

    stage.press(.control("s"))
    type("my mugs", on: stage)
    stage.press(.enter)
    await until { stage.navigator.notice == .hint(.searchSaved) }
    stage.press(.escape, "/", .tab)
    await until { stage.lines(80, 24).contains { $0.contains("my mugs") } }
    stage.press(.enter)
    await until { stage.top is SearchModel }
    expect((stage.top as? SearchModel)?.editor.text, "mug 할인")
    stage.press(.control("u"), .tab)
    await until { stage.lines(80, 24).contains { $0.contains("my mugs") } }
    stage.press(.delete)

    await poll { await personal.savedSearches().isEmpty }
  }

  @Test func `a search without a name asks for one`() async throws {
    let stage = try await stage()
    stage.navigator.program.personal = PersonalFile.inMemory()
    stage.press("/", "m", .control("s"))

    stage.press(.enter)

    #expect(stage.top is PromptModel)
    expect(stage.lines(80, 24, .english).last?.contains("Type a name first"), true)
  }

  @Test func `a search that cannot be kept says so`() async throws {
    let stage = try await stage()
    stage.press("/", "m", .control("s"))
    expect(stage.navigator.notice, .hint(.nothingSaved))
    var limits = PersonalFile.Limits()
    limits.savedSearches = 0
    stage.navigator.program.personal = PersonalFile.inMemory(limits: limits)

    stage.press(.control("s"), "x", .enter)

    await until { stage.navigator.notice == .hint(.searchNotSaved) }
  }
}
