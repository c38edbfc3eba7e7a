import Expectations
import MarketModel
import MarketStrings
import MarketViews
import SellingTestSupport
import TerminalKit
import TestSupport
import Testing

@testable import MarketViewModels

/// The keys that reserve and sell, on each screen with products.
struct SaleKeysTests {
  private static let me = Seller(id: Seller.ID(rawValue: 7), name: "하나")

  private func product(_ id: Int64, stock: Int64 = 3, isReserved: Bool = false) -> Product {
    var product = Product.sample(id: id, seller: Self.me, stock: stock)
    product.isReserved = isReserved
    return product
  }

  private func stage(
    _ products: [Product], _ arrangement: BrowserModel.Arrangement = .list,
    lacking: Set<ProductField> = []
  ) async throws -> Stage {
    var capabilities = RepositoryCapabilities.full
    capabilities.lackingFields = lacking
    let stage = Stage(
      arrangement, repository: GatedProductRepository(capabilities: capabilities), sells: true)
    try await stage.show(products)
    try await stage.signIn()
    return stage
  }

  /// What a key has the market asked for, after the password where none is kept.
  private func sent(
    by keys: KeyPress..., over product: Product, on stage: Stage
  ) async throws -> ProductPatch {
    stage.type(keys.map(InputEvent.key))
    try await stage.repository.details.next().answer(.sample(of: product))
    if stage.navigator.selling?.passwordCache.isKept(for: product.id) == false {
      await until { stage.top is PasswordModel }
      stage.press("s", "e", "c", "r", .enter)
      try await stage.repository.verifications.next().answer(())
    }
    let call = try await stage.repository.updates.next()
    call.fail(.notOwner)
    await until { stage.navigator.selling?.isBusy == false }
    return call.request.patch
  }

  /// What the footer calls the keys.
  private func steps(on stage: Stage) -> [Phrase] {
    stage.screen(80, 24).rows.filter { ["reserve", "sold"].contains($0.name) && $0.isOffered }
      .map(\.words)
  }

  private var reservation: ProductPatch {
    var patch = ProductPatch()
    patch.isReserved = true
    return patch
  }

  @Test(arguments: [BrowserModel.Arrangement.grid, .list])
  func `z reserves and Z sells among the products`(arrangement: BrowserModel.Arrangement)
    async throws
  {
    let stage = try await stage([product(2)], arrangement)

    try await expect(sent(by: "z", over: product(2), on: stage), reservation)
    await stage.rest()
    try await expect(sent(by: "Z", over: product(2), on: stage), ProductPatch(stock: 0))
  }

  @Test func `z reserves and Z sells in the detail`() async throws {
    let stage = try await stage([product(2)])
    stage.press(.enter)
    try await stage.repository.details.next().answer(.sample(of: product(2)))
    await until { stage.browser.detail.isComplete }

    expect(stage.lines(160, 24, .english).last?.contains("z Reserve  Z Sold  e Edit"), true)
    try await expect(sent(by: "z", over: product(2), on: stage), reservation)
    await stage.rest()
    try await expect(sent(by: "Z", over: product(2), on: stage), ProductPatch(stock: 0))
  }

  @Test func `in Hangul mode there is a key for each, and the menu`() async throws {
    let stage = try await stage([product(2)])

    try await expect(sent(by: "ㅋ", over: product(2), on: stage), reservation)
    await stage.rest()
    try await expect(sent(by: .function(3), over: product(2), on: stage), ProductPatch(stock: 0))
    await stage.rest()
    stage.press("ㅌ")
    try await stage.repository.details.next().answer(.sample(of: product(2)))
    _ = stage.screen(80, 24)
    stage.navigator.stack.first(MenuModel.self)?.list.select(.command("sold"))
    try await expect(sent(by: .enter, over: product(2), on: stage), ProductPatch(stock: 0))
  }

  @Test func `what was done is taken back by the same keys`() async throws {
    let reserved = product(2, isReserved: true)
    let stage = try await stage([reserved, product(1, stock: 0)])
    var patch = ProductPatch()
    patch.isReserved = false

    expect(steps(on: stage), [.keyEndReservation, .keySold])
    try await expect(sent(by: "z", over: reserved, on: stage), patch)
    await stage.rest()
    try await stage.pauseTyping()
    stage.browser.list.select(1)
    expect(steps(on: stage), [.keyBackInStock])
    try await expect(sent(by: "Z", over: product(1, stock: 0), on: stage), ProductPatch(stock: 1))
  }

  @Test func `what is sold is not reserved, which is said in one sentence`() async throws {
    let stage = try await stage([product(2, stock: 0)])

    stage.type([.key("z")], .english)
    let english = "Sold products cannot be reserved; put them back in stock first"
    expect(stage.lines(80, 24, .english).last?.contains(english), true)
    let other = try await self.stage([product(2, stock: 0)])
    other.press("z")
    expect(other.lines(80, 24).last?.contains("예약할 수 없습니다. 먼저 다시 판매해 주세요"), true)
    expect(stage.repository.details.callCount, 0)
  }

  @Test func `a market without reservations says so, and sells all the same`() async throws {
    let open = product(2)
    let stage = try await stage([open], lacking: [.reserved])

    stage.type([.key("z")], .english)
    let said = stage.lines(80, 24, .english).last ?? ""
    let rows = stage.screen(80, 24).rows

    #expect(said.contains("This market has no reservations"))
    expect(rows.first { $0.name == "reserve" }?.isPossible, false)
    try await stage.pauseTyping()
    try await expect(sent(by: "Z", over: open, on: stage), ProductPatch(stock: 0))
  }

  @Test func `another seller's product is none to be reserved`() async throws {
    let stage = try await stage([
      .sample(id: 2, seller: Seller(id: Seller.ID(rawValue: 8), name: "A"))
    ])

    for key in ["z", "Z"] as [KeyPress] {
      stage.type([.key(key)], .english)
      expect(stage.lines(80, 24, .english).last?.contains(": another seller’s"), true)
    }
    expect(stage.repository.details.callCount, 0)
  }

  @Test func `without a connection the same keys take back what waits`() async throws {
    let stage = try await stage([product(2)])
    func press(_ key: KeyPress, saying hint: Notice.Hint) async throws {
      stage.press(key)
      try await stage.repository.details.next().fail(.unreachable(.refused))
      await until { stage.navigator.notice == .hint(hint) }
      await stage.navigator.selling?.drafts.outliving.finish()
      await stage.rest()
    }

    try await press("z", saying: .draftIsQueued)
    expect(steps(on: stage), [.keyEndReservation, .keySold])
    try await press("z", saying: .nothingChanged)
    expect(steps(on: stage), [.keyReserve, .keySold])
    try await press("Z", saying: .draftIsQueued)
    expect(steps(on: stage), [.keyBackInStock])
    try await press("Z", saying: .nothingChanged)
    expect(steps(on: stage), [.keyReserve, .keySold])
  }

  // MARK: My products

  private func own(
    _ groups: [[Product]], _ arrangement: BrowserModel.Arrangement = .list
  ) async throws -> Stage {
    let stage = try await stage([product(1)], arrangement)
    stage.press("m")
    for group in groups {
      try await stage.repository.pages.next().answer(
        ProductPage(products: group, total: .exactly(group.count), next: nil))
    }
    await until { !stage.browser.feed.isStale && stage.browser.feed.isGrouped }
    _ = stage.screen(80, 24)
    return stage
  }

  @Test func `several that are marked are reserved or sold as one`() async throws {
    let stage = try await own([[product(3), product(2)], [], []])
    stage.press(" ", " ")
    expect(stage.lines(100, 24, .english).last?.contains("z Reserve  Z Sold"), true)

    stage.press("Z")
    await until { stage.top is PasswordModel }
    stage.press("s", "e", "c", "r", .enter)
    try await stage.repository.verifications.next().answer(())
    for id in [3, 2] as [Int64] {
      try await stage.repository.details.next().answer(.sample(of: product(id)))
    }
    await until { (stage.top as? BulkEditModel)?.phase == .asking }
    stage.press(.enter)
    for id in [3, 2] as [Int64] {
      let call = try await stage.repository.updates.next()
      expect(call.request.patch, ProductPatch(stock: 0))
      call.answer(.sample(of: product(id, stock: 0)))
    }
    await until { (stage.top as? BulkEditModel)?.phase == .done }
    stage.press(.escape)
    await stage.settle()

    expect(stage.browser.feed.groupStarts.map(\.group), [.sold])
    expect(stage.navigator.selling?.edits.count, 1)
  }

  @Test func `the menu of what is marked has both steps`() async throws {
    let stage = try await own([[], [product(2, isReserved: true)], [product(1, stock: 0)]])
    stage.press(" ", " ", "x")
    await until { stage.top is MenuModel }

    let rows = stage.navigator.stack.first(MenuModel.self)?.sections.first?.items

    expect(rows, [.price, .stock, .step(.reserve), .step(.sell), .deletion])
  }

  @Test func `groups have headings, the first in sight also when the list is scrolled`()
    async throws
  {
    let stage = try await own([
      [product(9), product(8)], [product(7, isReserved: true)], [product(6, stock: 0)],
    ])

    let lines = stage.lines(60, 14, .english)
    #expect(lines[1] == "  For sale" && lines[2].contains("Product 9"))
    #expect(lines[4] == "  Reserved" && lines[5].contains("Product 7"))
    #expect(lines[6] == "  Sold" && lines[7].contains("Product 6"))

    stage.press("G", columns: 60, rows: 8)
    let low = stage.lines(60, 8, .english)
    #expect(low[1] == "  Reserved" || low[1] == "  For sale" || low[1] == "  Sold")
    #expect(low.contains { $0.hasPrefix("▌") && $0.contains("Product 6") })
  }

  @Test func `empty groups are left out, and other lists have none`() async throws {
    let stage = try await own([[product(9)], [], [product(6, stock: 0)]])
    let lines = stage.lines(60, 14, .english)
    #expect(lines[1] == "  For sale" && lines[3] == "  Sold")
    #expect(!lines.contains { $0.contains("Reserved") })

    let all = try await self.stage([product(9), product(6, stock: 0)]).lines(60, 14, .english)
    #expect(!all.contains { $0.hasPrefix("  For sale") })
  }

  @Test func `a click selects the row under it, and a heading none`() async throws {
    let stage = try await own([
      [product(9), product(8)], [product(7, isReserved: true)], [product(6, stock: 0)],
    ])

    stage.click(5, 5, columns: 60, rows: 14)
    expect(stage.browser.selected?.id.rawValue, 7)
    stage.click(5, 4, columns: 60, rows: 14)
    expect(stage.browser.selected?.id.rawValue, 7)
    stage.click(5, 2, columns: 60, rows: 14)
    expect(stage.browser.selected?.id.rawValue, 9)
  }

  @Test func `cards have the heading of their group above its first one`() async throws {
    let stage = try await own([[product(9)], [product(7, isReserved: true)], []], .grid)

    let lines = stage.lines(80, 24, .english)

    #expect(lines[1].contains("For sale") && lines[1].contains("Reserved"))
    #expect(lines[1].contains("┏ For sale ━"))
  }
}
