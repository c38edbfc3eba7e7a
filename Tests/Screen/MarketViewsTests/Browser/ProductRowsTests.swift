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

/// What every product on the screen must tell, as cards and as rows.
struct ProductRowsTests {
  private static let products: [Product] = [
    .sample(id: 5, name: "로드 자전거 21단, 출퇴근용으로 한 해 탔습니다", price: 240_000, discount: 60_000),
    .sample(id: 4, name: "Camera", price: 640, currency: .usd, stock: 0),
    .sample(id: 3, name: "", price: 1_690_000, stock: 5_000),
    .sample(
      id: 2, name: String(repeating: "아주 긴 이름 ", count: 40), price: 98_765_432, stock: 999,
      created: 1_700_086_400 - 360 * 86_400),
    .sample(id: 1, name: "👩‍👩‍👧 e\u{301}tui", price: 3, created: 1_700_086_400 - 23 * 3_600),
  ]

  @Test(arguments: everyWidth, [BrowserModel.Arrangement.grid, .list])
  func `a price is never cut`(width: Int, arrangement: BrowserModel.Arrangement) async throws {
    let stage = Stage(arrangement)
    try await stage.show(Self.products)

    for language in Language.allCases {
      let screen = stage.lines(width, 120, language).joined(separator: "\n")
      for price in ["₩180,000", "₩1,690,000", "₩98,765,432", "₩3"] {
        #expect(screen.contains(price))
      }
      #expect(screen.contains(language == .korean ? "판매 완료" : "Sold"))
    }
  }

  @Test(arguments: [BrowserModel.Arrangement.grid, .list])
  func `a product that stands on top because it was registered here says so`(
    arrangement: BrowserModel.Arrangement
  ) async throws {
    let stage = Stage(arrangement)
    try await stage.show(Self.products)

    stage.browser.didRegister(.sample(of: .sample(id: 9, name: "Mug")), isOnTop: true)
    try await stage.repository.pages.next().answer(.sample([5, 4]))
    await until { !stage.browser.feed.isRefreshing }
    #expect(stage.lines(80, 24).contains { $0.contains("신규") })
    stage.browser.refresh()
    try await stage.repository.pages.next().answer(.sample([9, 5, 4]))
    await until { !stage.browser.feed.isRefreshing }

    #expect(!stage.lines(80, 24).contains { $0.contains("신규") })
  }

  @Test(arguments: [40, 52, 60, 80, 119], Language.allCases)
  func `price, stock and age of a row never touch`(width: Int, language: Language) async throws {
    let stage = Stage(.list)
    try await stage.show(Self.products)

    let words = Set(
      stage.lines(width, 20, language).flatMap { $0.split(separator: " ").map(String.init) })

    for price in ["₩180,000", "₩1,690,000", "₩98,765,432"] {
      #expect(words.contains(price))
    }
    #expect(words.contains(language == .korean ? "완료" : "Sold"))
    if width >= 52 {
      #expect(words.contains("×999+"))
      #expect(words.contains(language == .korean ? "11개월" : "11mo"))
    }
  }

  @Test(arguments: 20...79, Language.allCases)
  func `the name has a third of a narrow row, beside most prices`(
    width: Int, language: Language
  ) async throws {
    let stage = Stage(.list)
    let name = String(repeating: "n", count: 200)
    try await stage.show([.sample(id: 1, name: name, price: 240_000, discount: 60_000)])

    let line = stage.lines(width, 6, language)[1]

    #expect(line.count { $0 == "n" } + 1 >= width / 3)
    #expect(line.contains("₩180,000"))
    #expect((width < 60 || line.contains(" 25%")) && (width < 60 || line.contains("×3")))
  }

  @Test(arguments: [80, 120, 160])
  func `a name goes on to the price where there is one of it`(width: Int) async throws {
    let stage = Stage(.list)
    let name = String(repeating: "n", count: 200)
    try await stage.show([
      .sample(id: 2, name: name, price: 80, stock: 1),
      .sample(id: 1, name: name, price: 80, stock: 12),
    ])

    let lines = stage.lines(width, 12, .english).filter { $0.contains("nnn") }

    #expect(lines[0].contains("n… ₩80"))
    #expect(width == 160 || lines[1].contains("n… ×12"))
  }

  @Test(arguments: [80, 119, 120, 159], Language.allCases)
  func `the name has two fifths of a row, of a whole window half`(
    width: Int, language: Language
  ) async throws {
    let stage = Stage(.list)
    let name = String(repeating: "n", count: 200)
    try await stage.show([.sample(id: 1, name: name, price: 240_000, discount: 60_000)])

    let line = stage.lines(width, 6, language)[1]

    let row = width < 120 ? width : width * 11 / 20
    #expect(line.prefix(row).count { $0 == "n" } + 1 >= (width < 120 ? row / 2 : row * 2 / 5))
    #expect(line.contains("₩180,000 ₩240,000 25%"))
  }

  @Test func `a row of two lines that has not been read has the shape of both`() async throws {
    let stage = Stage(.list)
    stage.browser.start()
    let more = PagePosition.after(PageCursor(rawValue: "1"))
    try await stage.repository.pages.next().answer(
      ProductPage(products: Product.samples([3, 2, 1]), total: .exactly(1_000), next: more))
    await until { !stage.browser.feed.isStale && stage.browser.capabilities != nil }
    _ = stage.lines(160, 14)
    stage.browser.list.move(.last)

    let lines = stage.lines(160, 14).map { $0.prefix { $0 != "│" } }.map(String.init)
    let canvas = stage.screen(160, 14).draw()

    #expect(lines[10].hasPrefix("▌            1000 ╌╌╌") && lines[11].hasPrefix("▌            ╌╌╌"))
    #expect(lines[10].count { $0 == "╌" } > lines[11].count { $0 == "╌" })
    #expect(!canvas[CellPoint(column: 5, row: 11)].style.background.isTerminalDefault)
  }

  @Test(arguments: [BrowserModel.Arrangement.grid, .list])
  func `the picture of what is sold out is faded`(arrangement: BrowserModel.Arrangement)
    async throws
  {
    let stage = Stage(arrangement)
    let picture = Picture(original: "1", thumbnail: "1")
    try await stage.show([
      .sample(id: 2, thumbnail: picture), .sample(id: 1, stock: 0, thumbnail: picture),
    ])

    let wants = stage.screen(160, 40).wants.filter { $0.fit == .cover }

    expect(wants.map(\.isFaded), [false, true])
  }

  @Test func `where no pictures are shown a card is text, with two rows for the name`() async throws
  {
    var products = Array(Self.products.prefix(2))
    products[0].thumbnail = Picture(original: "1", thumbnail: "1")
    let stage = Stage(.grid)
    try await stage.show(products)

    let lines = stage.lines(56, 9, .english, pictures: .none)

    #expect(stage.screen(56, 9, pictures: .none).wants.isEmpty)
    expect(
      Array(lines[1...7]),
      [
        "┏━━━━━━━━━━━━━━━━━━━━━━━━━━┓",
        "┃로드 자전거 21단,         ┃ Camera",
        "┃출퇴근용으로 한 해 탔습니…┃",
        "┃₩180,000 ₩240,000 25%     ┃ Sold",
        "┃×3 · listed 23h ago       ┃ listed 23h ago",
        "┗━━━━━━━━━━━━━━━━━━━━━━━━━━┛",
        "                      End of list",
      ])
  }

  /// One that is reserved and says all, one that is sold, and one that says its condition alone.
  private static func described() -> [Product] {
    var products = [
      Product.sample(id: 5, name: "Bicycle", price: 240_000, discount: 60_000, stock: 1),
      Product.sample(id: 4, name: "Camera", price: 64_000, stock: 0),
      Product.sample(id: 3, name: "Cup", price: 12_000, stock: 6),
    ]
    for (index, condition) in [ProductCondition.good, .fair, .likeNew].enumerated() {
      products[index].condition = condition
      products[index].created = Timestamp(seconds: 1_700_086_400 - 23 * 3_600)
    }
    (products[0].place, products[1].place) = ("Seoul, Mapo-gu", "부산 해운대구")
    products[0].isReserved = true
    return products
  }

  @Test func `what is reserved or sold says so where the percentage or the price stands`()
    async throws
  {
    let stage = Stage(.list)
    try await stage.show(Self.described())
    let colorless = Theme(.dark, strikesThrough: true, hasColors: false)

    let lines = stage.lines(80, 24, .english)
    let narrow = stage.lines(40, 24, .english)
    let marked = stage.lines(80, 24, .english, theme: colorless)
    let canvas = stage.screen(80, 24, .english).draw()

    #expect(lines[1].contains("₩180,000 ₩240,000 Reserved") && !lines[1].contains("25%"))
    #expect(narrow[1].contains("Bicycle") && narrow[1].contains("Reserved ₩180,000"))
    #expect(marked[1].contains("₩180,000 ₩240,000 [Reserved]"))
    #expect(lines[2].contains(/Camera +Sold +Fair/) && !lines[2].contains("64,000"))
    let theme = Theme(.dark, strikesThrough: true)
    let column = lines[2].columns(before: "Sold")
    expect(canvas[CellPoint(column: column, row: 2)].style, theme.secondary)
  }

  @Test func `a card ends with stock, condition, place and age, the place cut at its end`()
    async throws
  {
    let stage = Stage(.grid)
    try await stage.show(Self.described())

    let lines = stage.lines(80, 24, .english)

    #expect(lines.contains { $0.contains("┃₩180,000 Reserved") })
    #expect(lines.contains { $0.contains("┃Good · Seoul, Map… · 23h┃") })
    #expect(lines.contains { $0.contains("  Fair · 부산 해운… · 23h") })
    #expect(lines.contains { $0.contains("  ×6 · Like new · 23h") })
    #expect(lines.contains { $0.contains("  Sold  ") } && !lines.contains { $0.contains("64,000") })
  }

  @Test func `the columns of a list are as wide as what they hold, and the name has the rest`()
    async throws
  {
    let stage = Stage(.list)
    try await stage.show(Self.described())
    let unreduced = Stage(.list)
    try await unreduced.show([.sample(id: 1, name: "Cup", price: 80, stock: 5)])

    let wide = stage.lines(160, 45, .english)

    expect(
      Array(stage.lines(80, 24, .english)[1...3]),
      [
        "▌ Bicycle            ₩180,000 ₩240,000 Reserved  Good      Seoul, Mapo-gu   23h",
        "  Camera                 Sold                    Fair      부산 해운대구    23h",
        "  Cup             ×6  ₩12,000                    Like new                   23h",
      ])
    #expect(wide[1].contains("₩180,000 ₩240,000 Reserved"))
    #expect(wide[2].contains("Good · Seoul, Mapo-gu · 23h"))
    expect(unreduced.lines(40, 24, .english)[1], "▌ Cup                      ×5 ₩80   23h")
  }

  @Test func `of a place that does not fit the beginning is shown, and the condition goes last`()
    async throws
  {
    let stage = Stage(.list)
    var products = Self.described()
    products[0].name = String(repeating: "n", count: 60)
    try await stage.show(products)

    let lines = [80, 84, 96].map { stage.lines($0, 24, .english)[1] }

    expect(
      lines.map { String($0.drop { "▌ n".contains($0) }) },
      [
        "… ₩180,000 ₩240,000 Reserved   23h", "… ₩180,000 ₩240,000 Reserved  Good       23h",
        "… ₩180,000 ₩240,000 Reserved  Good      Seoul,…   23h",
      ])
    for line in lines { #expect(line.count { $0 == "n" } + 1 >= line.count * 2 / 5 - 1) }
  }

  @Test func `in plain text a reduced price still shows, and the selected row`() async throws {
    let stage = Stage(.grid)
    try await stage.show(Array(Self.products.prefix(1)))

    let lines = stage.lines(40, 20, theme: Theme(.dark, strikesThrough: false))

    #expect(lines.contains { $0.contains("₩180,000 (₩240,000)") })
    #expect(lines.contains { $0.contains("┏") })
  }

  @Test(arguments: 20...70)
  func `a reduced row says so in words wherever it says so in colour`(width: Int) async throws {
    let stage = Stage(.list)
    try await stage.show([Self.products[1], Self.products[0]])
    let theme = Theme(.dark, strikesThrough: true)

    let canvas = stage.screen(width, 6, theme: theme).draw()
    let line = canvas.lines[2]
    let styles = (0..<width).map { canvas[CellPoint(column: $0, row: 2)].style }

    #expect(line.contains(" 25%") || !styles.contains { $0.foreground == theme.warning.foreground })
  }

  @Test func `the cursor rests on the selected card`() async throws {
    let stage = Stage(.grid)
    try await stage.show(Self.products)
    stage.browser.list.select(1)

    let canvas = stage.screen(80, 24).draw()

    expect(canvas.cursor?.point, CellPoint(column: 28, row: 8))
    expect(canvas.cursor?.isVisible, false)
  }
}
