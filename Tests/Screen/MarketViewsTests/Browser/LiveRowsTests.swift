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

/// What one sees of a market that changes while one looks.
struct LiveRowsTests {
  private let changes = ScriptedChanges()

  /// A stage that follows its market, with nothing on its way.
  private func stage(
    _ arrangement: BrowserModel.Arrangement = .list,
    showing products: [Product] = [
      .sample(id: 9, name: "Lamp"), .sample(id: 8, name: "Chair"), .sample(id: 7, name: "Cup"),
    ]
  ) async throws -> Stage {
    let stage = Stage(arrangement, sells: true, changes: changes)
    try await stage.show(products)
    changes.watch()
    try await answer(products, on: stage)
    return stage
  }

  /// Answers the next question, which waits for no chance here.
  private func answer(_ products: [Product], on stage: Stage, after wait: Duration = .zero)
    async throws
  {
    try await stage.clock.sleeps(of: wait).next().answer(())
    try await stage.repository.pages.next().answer(
      ProductPage(products: products, total: .exactly(products.count), next: nil))
    for _ in 0..<50 { await Task.yield() }
  }

  private func change(_ product: Product, on stage: Stage) async throws {
    changes.tell(.sample(.changed, product.id.rawValue))
    try await answer([product], on: stage)
    await until { stage.browser.live.news(of: product.id) == .changed }
  }

  private func delete(_ id: Int64, on stage: Stage) async {
    changes.tell(.sample(.deleted, id, version: nil))
    await until { stage.browser.live.news(of: Product.ID(rawValue: id)) == .deleted }
  }

  @Test func `changed and deleted rows say so where they stand`() async throws {
    let stage = try await stage()

    try await change(.sample(id: 8, name: "Armchair", price: 7_000), on: stage)
    await delete(7, on: stage)

    #expect(stage.lines(80, 24, .english)[0].contains("· 2 products"))
    expect(
      Array(stage.lines(80, 24, .english)[1..<4]),
      [
        "▌ Lamp                                                         ×3 ₩10,000   23h",
        "  Armchair                                                     ×3  ₩7,000 ● now",
        "  Cup                                                          ×3 Deleted   23h",
      ])
  }

  @Test func `a narrow row is marked at its name`() async throws {
    let stage = try await stage()

    try await change(.sample(id: 8, name: "Armchair", price: 7_000), on: stage)

    #expect(stage.lines(24, 24, .english)[2].contains("● Armchair"))
  }

  @Test func `the name of what was deleted is struck`() async throws {
    let stage = try await stage()

    await delete(7, on: stage)

    let canvas = stage.screen(80, 24).draw()
    #expect(canvas[CellPoint(column: 2, row: 3)].style.attributes.contains(.strikethrough))
    #expect(!canvas[CellPoint(column: 2, row: 2)].style.attributes.contains(.strikethrough))
  }

  @Test func `cards say it as well`() async throws {
    let stage = try await stage(.grid)

    try await change(.sample(id: 8, name: "Armchair"), on: stage)
    await delete(7, on: stage)

    let screen = stage.lines(80, 24, .korean).joined(separator: "\n")
    #expect(screen.contains("● 방금"))
    #expect(screen.contains("삭제됨"))
  }

  @Test func `a plain screen says it in words`() async throws {
    let stage = try await stage()
    try await change(.sample(id: 8, name: "Armchair"), on: stage)
    await delete(7, on: stage)

    var context = stage.screen(80, 24, .english, pictures: .none).context
    context.isPlain = true
    let window = Window(
      navigator: stage.navigator, size: CellSize(columns: 80, rows: 24), context: context)
    window.layOut()
    let lines = window.draw().lines

    #expect(lines.contains { $0.contains("changed: Armchair") })
    #expect(lines.contains { $0.contains("Cup") && $0.contains("Deleted") })
  }

  @Test(arguments: [
    (Language.english, "Local market · 3 products · ↑ 2 new"),
    (.korean, "로컬 마켓 · 3개 · ↑ 새 상품 2개"),
  ])
  func `the top bar says how many new ones wait`(language: Language, text: String) async throws {
    let stage = try await stage()

    changes.tell(.sample(.listed, 10), .sample(.listed, 11))
    await until { stage.browser.live.pendingProducts.count == 2 }

    #expect(stage.lines(80, 24, language)[0].contains(text))
  }

  @Test(arguments: [KeyPress("."), KeyPress("g"), KeyPress(.home)])
  func `a key brings them in`(key: KeyPress) async throws {
    let stage = try await stage()
    changes.tell(.sample(.listed, 10))
    await until { stage.browser.live.pendingProducts.count == 1 }

    stage.press(key)
    try await stage.repository.pages.next().answer(.sample([10, 9, 8, 7]))
    await until { stage.browser.feed.head.count == 4 }

    expect(stage.browser.selected?.id.rawValue, 9)
    #expect(!stage.lines(80, 24)[0].contains("↑"))
  }

  @Test func `a click on their number brings them in`() async throws {
    let stage = try await stage()
    changes.tell(.sample(.listed, 10))
    await until { stage.browser.live.pendingProducts.count == 1 }

    stage.click(stage.lines(80, 24)[0].columns(before: "↑") + 1, 0)

    try await expect(stage.repository.pages.next().request.position, .first)
  }

  @Test func `what was deleted is neither edited nor deleted, and opening it says why`()
    async throws
  {
    let stage = try await stage()
    await delete(9, on: stage)

    stage.type([.key("e")], .english)
    let line = stage.lines(80, 24, .english).last ?? ""
    stage.press(.delete)
    let top = stage.top
    stage.press(.enter)
    try await stage.repository.details.next().fail(.notFound)
    await until { if case .failed = stage.browser.detail.phase { true } else { false } }

    #expect(line.contains("Edit: ") && line.contains("deleted"))
    #expect(top === stage.browser)
    #expect(stage.lines(80, 24, .english).contains { $0.contains("may have been deleted") })
  }

  // MARK: What is open

  @Test func `an open detail says that its product changed, and r shows the change`() async throws {
    let stage = try await stage()
    stage.press(.enter)
    try await stage.repository.details.next().answer(.sample(of: .sample(id: 9, name: "Lamp")))
    await until { stage.browser.detail.isComplete }

    changes.tell(.sample(.changed, 9))
    await until { stage.browser.detail.news == .changed }
    let lines = stage.lines(80, 24, .english)
    stage.press("r")
    try await stage.repository.details.next().answer(
      .sample(of: .sample(id: 9, name: "Lantern"), version: ProductVersion(rawValue: "2")))
    await until { stage.browser.detail.news == nil }

    #expect(lines.contains { $0.contains("── Changed a moment ago · r ──") })
    #expect(lines[23].contains("Changed a moment ago"))
    #expect(lines[23].contains("r Refresh"))
    #expect(stage.lines(80, 24, .english)[0].contains("Lantern"))
  }

  @Test func `a form says that its product changed, and F5 shows both versions`() async throws {
    let stage = try await stage()
    stage.press("e", "x", .enter)
    await stage.settle()
    try await stage.repository.verifications.next().answer(())
    try await stage.repository.details.next().answer(.sample(of: .sample(id: 9, name: "Lamp")))
    await until { stage.form != nil }

    changes.tell(.sample(.changed, 9))
    try await stage.repository.details.next().answer(
      .sample(of: .sample(id: 9, name: "Lantern"), version: ProductVersion(rawValue: "2")))
    await until { stage.navigator.selling?.form?.meanwhile != nil }
    let line = stage.lines(80, 24, .english)[23]
    stage.press(KeyPress(.function(5)))
    await stage.settle()

    #expect(line.contains("Someone else has changed this product"))
    #expect(line.contains("F5 Show both"))
    #expect(stage.top is ConflictModel)
  }

  @Test func `the prompt for a password says that the product was deleted`() async throws {
    let stage = try await stage()
    stage.press("D")

    await delete(9, on: stage)

    #expect(
      stage.lines(80, 24, .english).contains {
        $0.contains("Someone else has deleted this product")
      })
  }
}
