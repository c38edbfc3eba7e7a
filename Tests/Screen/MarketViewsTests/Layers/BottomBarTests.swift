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

struct BottomBarTests {
  private static let other = Seller(id: Seller.ID(rawValue: 9), name: "Someone else")

  /// The footer of an open detail whose product is this seller's, while another one sells.
  private func footer(of seller: Seller) async throws -> String {
    let stage = Stage(sells: true)
    try await stage.show([.sample(id: 1, seller: seller)])
    stage.press(.enter)
    return stage.lines(160, 24, .english).last ?? ""
  }

  @Test func `the search line names its keys, which can be clicked`() async throws {
    let stage = Stage()
    try await stage.show(Product.samples([2, 1]))
    stage.press("/")

    let lines = stage.lines(80, 24, .english)

    #expect(lines[21].hasPrefix(" Search"))
    #expect(lines[23].hasPrefix(" ↵ OK  Esc Cancel  Tab Saved  ↑ Earlier  ^S Save"))
    stage.click(stage.lines(80, 24)[23].columns(before: "Esc"), 23)
    #expect(stage.top === stage.browser)
  }

  @Test func `a search index that is not up to date yet says how far it is`() async throws {
    let stage = Stage()
    try await stage.show(Product.samples([2, 1]))

    stage.browser.indexedShare = 0.417

    expect(stage.lines(100, 24, .english).last?.contains("Updating the search index: 41%"), true)
    stage.browser.indexedShare = nil
    expect(stage.lines(100, 24, .english).last?.contains("index"), false)
  }

  @Test func `what cannot succeed for another seller's product is not offered`() async throws {
    let footer = try await footer(of: Self.other)

    #expect(!footer.contains("Edit") && !footer.contains("Delete"))
    #expect(footer.contains("Help"))
  }

  @Test(arguments: [BrowserModel.Arrangement.list, .grid], [false, true])
  func `the footer offers changes of one's own product, and of others what one can do with them`(
    arrangement: BrowserModel.Arrangement, isOpen: Bool
  ) async throws {
    let stage = Stage(arrangement, sells: true)
    let own = Seller(id: Seller.ID(rawValue: 7), name: "하나")
    try await stage.show([.sample(id: 2, seller: own), .sample(id: 1)])
    try await stage.signIn()

    let footers = [0, 1].map { index in
      stage.browser.list.select(index)
      if isOpen { stage.press(.enter) }
      defer { if isOpen { stage.press(.escape) } }
      return stage.lines(160, 24, .english).last ?? ""
    }

    #expect(footers[0].contains("  z Reserve  Z Sold  e Edit  D Delete  "))
    for word in ["Reserve", "Sold", "Edit", "Delete"] { #expect(!footers[1].contains(word)) }
    for footer in footers { #expect(footer.contains("  x Actions  s Show seller")) }
    stage.browser.list.select(1)
    stage.press("e")
    #expect(stage.top is PasswordModel)
  }

  @Test func `what leads back from fewer products, and what tries again, is offered then alone`()
    async throws
  {
    let stage = Stage()
    try await stage.show(Product.samples([2, 1]))
    expect(stage.lines(80, 24).last?.hasPrefix(" ↵ 열기  / 검색"), true)

    stage.press("/", "m", .enter)
    try await stage.repository.pages.next().answer(.sample([]))
    await until { !stage.browser.feed.isStale }
    expect(stage.lines(80, 24).last?.hasPrefix(" Esc 모두 보기  / 검색"), true)

    stage.press("r")
    try await stage.repository.pages.next().fail(.unreachable(.timedOut))
    await until { stage.navigator.notice != nil }
    let narrow = try #require(stage.lines(30, 24).last)
    #expect(narrow.hasPrefix(" ✗ ") && narrow.hasSuffix("…  R 다시 시도"))
  }

  @Test func `a market that is silent when one wants to sell is waited for in sight, until Esc`()
    async
  {
    let repository = GatedProductRepository(capabilities: nil)
    let stage = Stage(repository: repository, sells: true)
    stage.press("n")
    let waiting = stage.lines(80, 24, .english).last ?? ""
    #expect(waiting.hasPrefix(" Contacting the market…  "))
    #expect(waiting.contains("  Esc Cancel  "))
    expect(stage.lines(30, 24, .english).last, " Contacting the …  Esc Cancel")

    stage.press(.escape)

    expect(stage.lines(80, 24, .english).last?.contains("? Help"), true)
    expect(stage.navigator.selling?.isOpening, false)
  }

  @Test func `pictures are offered where there are any, and others where there are others`()
    async throws
  {
    let bare = Stage()
    try await bare.show([.sample(thumbnail: nil)])
    bare.press(.enter)
    let single = Stage()
    try await single.show([.sample(thumbnail: Picture(original: "1", thumbnail: "1"))])
    single.press(.enter)

    let footers = [bare, single].map { $0.lines(160, 24, .english).last ?? "" }

    expect(footers.map { $0.contains("Enlarge") }, [false, true])
    #expect(!footers.contains { $0.contains("Photos") })
  }

  @Test func `the divider is moved where there is one, not in an empty list`() async throws {
    let empty = Stage()
    try await empty.show([])
    let full = Stage()
    try await full.show(Product.samples([1]))

    let footers = [empty, full].map { $0.lines(240, 24, .english).last ?? "" }

    expect(footers.map { $0.contains("Wider list") }, [false, true])
  }

  @Test func `keys that belong together share one hint, and each is clicked by itself`()
    async throws
  {
    let stage = Stage()
    try await stage.show(Product.samples([3, 2, 1]))
    stage.press(.enter)

    let footer = stage.lines(160, 24).last ?? ""
    let column = footer.columns(before: "J K 상품")
    stage.click(column, 23, columns: 160)
    let next = stage.browser.viewport.selected
    stage.click(column + 2, 23, columns: 160)

    #expect(footer.contains("  J K 상품  "))
    #expect(next == 1 && stage.browser.viewport.selected == 0)
  }

  @Test func `a wide footer shows further commands in the order of the help, before help and quit`()
    async throws
  {
    let stage = Stage(sells: true)
    try await stage.show(Product.samples([2, 1]))

    let footers = [80, 160, 240].map { stage.lines($0, 24, .english).last ?? "" }

    #expect(!footers[0].contains("y Copy") && footers[1].contains("y Copy"))
    #expect(footers[2].contains("  N Seller details  "))
    for footer in footers {
      #expect(footer.hasPrefix(" ↵ Open  / Search"))
      #expect(footer.hasSuffix("? Help  q Quit"))
    }
    // Who moves about needs no telling.
    #expect(!footers[2].contains("Page down"))
  }

  @Test(arguments: everyWidth, Language.allCases)
  func `a message stands left of the keys and is cut before it takes them all`(
    width: Int, language: Language
  ) async throws {
    let stage = Stage()
    try await stage.show(Product.samples([2, 1]))
    stage.navigator.announce(.words(SafeText(String(repeating: "긴 말 ", count: 99))))

    let bar = try #require(stage.lines(width, 24, language).last)

    #expect(bar.hasPrefix(" 긴 말") && bar.contains("…"))
    #expect(SafeText(bar).columns <= width - 1)
    expect(bar.contains(language == .korean ? "↵ 열기" : "↵ Open"), width >= 80)
    expect(bar.contains(language == .korean ? "q 종료" : "q Quit"), width >= 80)
  }

  @Test(arguments: Language.allCases)
  func `a message that fits beside its own key is whole, and other keys give way`(
    language: Language
  ) async throws {
    let stage = Stage()
    try await stage.show(Product.samples([2, 1]))

    let failures: [RepositoryError] = [
      .marketFull, .keyReused, .blocked, .unreachable(.exhausted), .unreachable(.libraryMissing),
      .store(.locked), .store(.damaged), .store(.newerVersion), .store(.readOnlyFolder),
    ]
    for message in failures.map(Notice.failed) + [.hint(.draftIsQueued), .hint(.accountNotSaved)] {
      stage.navigator.announce(message)
      let bar = try #require(stage.lines(80, 24, language).last)

      #expect(!bar.contains("…"))
    }
  }

  @Test(arguments: [20, 40, 79, 80, 240])
  func `what answers a message stands beside it, first of the keys, and once`(width: Int)
    async throws
  {
    let stage = Stage(sells: true)
    try await stage.show(Product.samples([2, 1]))
    stage.navigator.announce(.sold(.edit))

    let bar = stage.lines(width, 24, .english).last ?? ""

    #expect(bar.hasPrefix(width == 20 ? " " : " Saved "))
    expect(bar.ranges(of: "u Undo last edit").count, 1)
    expect(bar.contains("? Help"), width >= 80)
  }

  @Test func `a click on a key beside a message does what the key does`() async throws {
    let stage = Stage()
    try await stage.show(Product.samples([2, 1]))
    stage.navigator.announce(.refreshed(newProducts: 2))
    let bar = stage.lines(80, 24, .english).last ?? ""

    stage.click(bar.columns(before: "o Sort"), 23)

    #expect(stage.top is MenuModel && stage.navigator.notice == nil)
  }

  @Test func `digits before a move stand at the right of the keys`() async throws {
    let stage = Stage()
    try await stage.show(Product.samples([2, 1]))

    stage.press("1", "2")
    let bars = [20, 80].map { stage.lines($0, 24, .english).last ?? "" }

    for (bar, width) in zip(bars, [20, 80]) {
      #expect(bar.hasSuffix("  12") && SafeText(bar).columns == width - 1)
    }
  }

  @Test func `where the market does not tell whose a product is, the password decides`()
    async throws
  {
    var capabilities = RepositoryCapabilities.full
    capabilities.parts.remove(.seller)

    let stage = Stage(
      repository: GatedProductRepository(capabilities: capabilities), sells: true)
    try await stage.show([.sample(id: 1, seller: Self.other)])
    stage.press("D")

    #expect(stage.top is PasswordModel)
  }
}
