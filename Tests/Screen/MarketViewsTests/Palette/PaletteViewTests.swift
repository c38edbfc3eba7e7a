import Expectations
import MarketModel
import MarketStrings
import MarketViewModels
import MarketViews
import PersonalStore
import SellingTestSupport
import TerminalKit
import TestSupport
import Testing

/// The palette over a whole market.
struct PaletteViewTests {
  private func stage(_ screen: Screen = .list) async throws -> Stage { try await screen.stage() }

  private func type(_ text: String, on stage: Stage) {
    for character in text { stage.press(KeyPress(.character(character))) }
  }

  /// The lines inside of the box, without its frame.
  private func box(of stage: Stage, _ language: Language = .english) -> [String] {
    stage.lines(80, 24, language).compactMap { line in
      let parts = line.split(separator: "│")
      return parts.count > 1 ? String(parts[1]) : nil
    }
  }

  @Test func `first consonants find a command in an English program too`() async throws {
    let stage = try await stage()
    stage.press(":")

    type("ㅈㄹ", on: stage)

    let found = box(of: stage)
    #expect(found.contains { $0.hasPrefix(" ▌ Sort  ") })
    #expect(found.contains { $0.hasPrefix("   Sort: Lowest price  ") })
  }

  @Test func `an order is chosen by its name`() async throws {
    let stage = try await stage()
    stage.press(":")

    type("정렬 낮은", on: stage)
    stage.press(.enter)

    expect(stage.browser.feed.query.order, .cheapest)
    #expect(stage.top === stage.browser)
  }

  @Test func `what needs another command first runs that, as following the seller of a product`()
    async throws
  {
    let stage = Stage(sells: true)
    stage.navigator.program.personal = PersonalFile.inMemory()
    let seller = Seller(id: Seller.ID(rawValue: 3), name: "Hana")
    try await stage.show([.sample(id: 1, seller: seller)])
    stage.press(":")

    type("foll", on: stage)
    #expect(box(of: stage).contains { $0.hasPrefix(" ▌ Follow seller") })
    stage.press(.enter)
    await until { stage.navigator.notice == .hint(.sellerAdded) }

    expect(stage.browser.feed.query.sellers, [seller.id])
  }

  @Test func `a command of a screen that is closed opens it`() async throws {
    let stage = try await stage()
    stage.press(":")

    type("enlarge", on: stage)
    stage.press(.enter)
    await until { stage.top is PictureModel }

    #expect(stage.navigator.stack.contains(stage.browser.detail))
  }

  @Test func `a filter is set by its name, and taken away`() async throws {
    let stage = try await stage()
    for _ in 1...2 {
      stage.press(.function(2))
      type("filter", on: stage)
      stage.press(.down, .enter)
    }

    #expect(stage.browser.feed.query.filters.isEmpty)
  }

  @Test func `a seller is found, and their products are shown alone`() async throws {
    let stage = Stage()
    try await stage.show([
      .sample(id: 1, seller: Seller(id: Seller.ID(rawValue: 7), name: "Harbour Hana")),
      .sample(id: 2),
    ])
    stage.press(":")

    type("harb", on: stage)
    stage.press(.enter)

    expect(stage.browser.feed.query.sellers, [Seller.ID(rawValue: 7)])
  }

  @Test func `what a market cannot do is grey, says why, and does nothing`() async throws {
    var capabilities = RepositoryCapabilities.full
    capabilities.orders = [.newest]
    let stage = Stage(repository: GatedProductRepository(capabilities: capabilities))
    try await stage.show([.sample(id: 1)])
    stage.press(":")
    type("sort lowest", on: stage)

    let line = box(of: stage).first { $0.contains("Sort: Lowest price") }
    stage.press(.enter)

    expect(line?.contains("not supported by this market"), true)
    #expect(stage.navigator.stack.first(PaletteModel.self) != nil)
    expect(stage.browser.feed.query.order, .newest)
  }

  @Test(arguments: [Screen.grid, .list])
  func `what a key does with the product the palette does too`(screen: Screen) async throws {
    let stage = try await screen.stage()
    stage.press(":")

    type("delete", on: stage)
    let lines = box(of: stage)
    stage.press(.enter)

    #expect(lines.contains { $0.hasPrefix(" ▌ Delete   ") && $0.hasSuffix(" D ") })
    #expect(stage.top is PasswordModel)
  }

  @Test func `why nothing can be done is cut only where the name needs the room`() async throws {
    let stage = try await stage()
    stage.press(":")

    type("remove draft", on: stage)

    let why = "임시 저장한 내용을 먼저 선택해 주세요 (m)  Del"
    #expect(stage.lines(80, 24)[4].contains("임시 저장 삭제"))
    #expect(stage.lines(80, 24)[4].contains(why))
    #expect(stage.lines(80, 24, .english)[4].contains("select a draft first (m lists them)  Del"))
  }

  @Test func `a command of the list is reached from the detail, which goes`() async throws {
    let stage = try await stage(.detail)
    stage.press(":")

    type("search", on: stage)
    stage.press(.enter)

    #expect(stage.top is SearchModel)
    #expect(!stage.navigator.stack.contains(stage.browser.detail))
  }

  @Test func `what a screen has that cannot be opened is grey, with the way there`() async throws {
    let stage = Stage()
    try await stage.show([])
    stage.press(":")

    type("save picture", on: stage)

    #expect(box(of: stage).contains { $0.contains("open a product first") })
  }

  @Test func `over a form nothing is run that would leave it`() async throws {
    let stage = try await stage()
    stage.press("n")
    await until { stage.form != nil }
    stage.press(.function(2))

    type("cheapest", on: stage)
    stage.press(.enter)

    let selected = box(of: stage).filter { $0.contains("▌") }
    #expect(selected.allSatisfy { $0.contains("close what is open first") })
    #expect(stage.form != nil)
  }

  @Test func `a colon is text where one types, and F2 opens it there as well`() async throws {
    let stage = try await stage(.search)

    stage.press(":")
    #expect(stage.top is SearchModel)
    stage.press(.function(2))
    #expect(stage.top is PaletteModel)
    stage.press(.function(2))
    #expect(stage.top is SearchModel)
  }

  @Test func `F2 is in every table, and nothing else is on it`() {
    for rows in ViewGraph.market.rows {
      let names = Set(rows.filter { $0.keys.contains(.function(2)) }.map(\.name))
      expect(names, ["palette"])
    }
  }

  @Test func `of names that fit alike what was chosen before comes first`() async throws {
    let stage = try await stage()
    stage.press(":")
    let before = box(of: stage).first { $0.contains("▌") }
    type("refresh", on: stage)
    stage.press(.enter, ":")

    let after = box(of: stage).first { $0.contains("▌") }

    expect(before?.contains("Search"), true)
    expect(after?.contains("Refresh"), true)
  }

  @Test func `Esc leaves it, and a click beside it; a click on a line does that`() async throws {
    let stage = try await stage()
    stage.press(":", .escape)
    #expect(stage.top === stage.browser)
    stage.press(":")
    stage.click(1, 20)
    #expect(stage.top === stage.browser)
    stage.press(":")
    stage.click(20, 4)
    #expect(stage.top is SearchModel)
  }

  @Test func `the last of many lines is reached, and nothing below it`() async throws {
    let stage = try await stage()
    stage.press(":")

    for _ in 0..<40 { stage.press(.pageDown) }

    expect(box(of: stage).last { !$0.trimmed.isEmpty }?.contains("▌"), true)
  }

  @Test func `a setting is found, and opens the settings at its row`() async throws {
    let stage = try await stage()
    stage.navigator.program.settings = FakeSettings()
    stage.press(":")

    type("page size", on: stage)
    stage.press(.enter)

    expect((stage.top as? SettingsModel)?.selected?.name, "page-size")
  }

  @Test func `nothing has a name that nothing has`() async throws {
    let stage = try await stage()
    stage.press(":")

    type("qqq", on: stage)
    stage.press(.enter)

    #expect(box(of: stage).contains { $0.contains("Nothing matches “qqq”") })
    #expect(stage.top is PaletteModel)
  }
}

extension String {
  fileprivate var trimmed: Substring { self[...].drop { $0 == " " } }
}
