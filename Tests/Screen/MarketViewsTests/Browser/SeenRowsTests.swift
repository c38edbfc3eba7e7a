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

/// What rows, cards, the detail and the top bar say of what is new and of prices that moved.
struct SeenRowsTests {
  /// A new lamp, a chair that has become cheaper, a dearer cup, and a book that is as it was.
  private func stage(_ arrangement: BrowserModel.Arrangement = .list) async throws -> Stage {
    let stage = Stage(arrangement)
    let yesterday = Timestamp(seconds: Stage.now.seconds - 86_400)
    let old = [8: 12_000, 7: 8_000, 6: 10_000] as [Int64: Int64]
    let store = PersonalFile.inMemory(at: WallClock(yesterday.seconds))
    await store.didSee(
      old.map { number, amount in
        SeenProduct(
          id: Product.ID(rawValue: number),
          price: Money(hundredths: amount * 100, currency: .krw))
      }, in: .local)
    await store.visit(.local, newest: Product.ID(rawValue: 8))
    stage.navigator.program.personal = store
    try await stage.show([
      .sample(id: 9, name: "램프"), .sample(id: 8, name: "의자"), .sample(id: 7, name: "Cup"),
      .sample(id: 6, name: "Book"),
    ])
    stage.screen(80, 24).layOut()
    await until { stage.browser.seenTracker.newCount != nil }
    return stage
  }

  @Test func `rows have a dot or an arrow before the name, and the previous price`() async throws {
    let lines = try await stage().lines(80, 24, .english)

    #expect(lines[0].contains("4 products · 1 new"))
    expect(
      Array(lines[1..<5]),
      [
        "▌•램프                                                         ×3 ₩10,000   23h",
        " ↓의자                                             ×3 was ₩12,000 ₩10,000   23h",
        " ↑Cup                                               ×3 was ₩8,000 ₩10,000   23h",
        "  Book                                                         ×3 ₩10,000   23h",
      ])
  }

  @Test func `a narrow row keeps the name and has the arrow alone`() async throws {
    let lines = try await stage().lines(30, 24, .english)

    #expect(lines[2].hasPrefix(" ↓의자"))
    #expect(!lines[2].contains("12,000"))
  }

  @Test func `cards say it as well`() async throws {
    let screen = try await stage(.grid).lines(80, 24, .english).joined(separator: "\n")

    #expect(screen.contains("• 램프"))
    #expect(screen.contains("↓ 의자"))
    #expect(screen.contains("₩10,000 was ₩12,000"))
  }

  /// What the second line of a card says of a price that was reduced, and was another one before.
  private func price(previous: Int64, columns: Int, _ language: Language) async throws -> String {
    let stage = try await stage(.grid)
    stage.browser.didChange(
      .sample(of: .sample(id: 8, name: "의자", price: previous, discount: previous - 9_000)))
    stage.screen(columns, 24).layOut()
    stage.browser.list.select(1)
    let lines = stage.lines(columns, 24, language)
    let row = (lines.firstIndex { $0.contains("↓ 의자") } ?? 0) + 1
    return lines[row]
  }

  @Test func `a reduced card says in words what it was, and no price twice`() async throws {
    let sameAsFull = try await price(previous: 12_000, columns: 38, .english)
    let wide = try await price(previous: 10_000, columns: 38, .english)

    #expect(sameAsFull.contains("₩9,000 ₩12,000 25%") && !sameAsFull.contains("was"))
    #expect(wide.contains("₩9,000 ₩10,000 10% was ₩12,000"))
    #expect(try await price(previous: 10_000, columns: 80, .english).contains("₩9,000 was ₩12,000"))
    #expect(try await price(previous: 10_000, columns: 80, .korean).contains("₩9,000 이전 ₩12,000"))
  }

  @Test(arguments: [
    (Language.english, ["new: 램프", "cheaper, was ₩12,000: 의자"]),
    (.korean, ["신규: 램프", "가격 인하, 이전 ₩12,000: 의자"]),
  ])
  func `a plain screen says it in words`(language: Language, texts: [String]) async throws {
    let stage = try await stage()
    var context = stage.screen(80, 24, language, pictures: .none).context
    context.isPlain = true
    let window = Window(
      navigator: stage.navigator, size: CellSize(columns: 80, rows: 24), context: context)
    window.layOut()

    let screen = window.draw().lines.joined(separator: "\n")

    for text in texts { #expect(screen.contains(text)) }
    #expect(!screen.contains("•") && !screen.contains("↓"))
  }

  @Test func `keys and a click lead to the new one, and mark all as seen`() async throws {
    let stage = try await stage()
    stage.browser.list.select(3)

    stage.press("{")
    let byKey = stage.browser.selected?.id.rawValue
    stage.press("A")

    expect(byKey, 9)
    expect(stage.lines(80, 24, .english).last?.contains("1 new product marked as seen"), true)
    #expect(!stage.lines(80, 24, .english).joined().contains("•"))
  }

  @Test func `the detail says beside the price what it was before its one change`() async throws {
    let stage = try await stage()
    stage.browser.list.select(1)
    stage.press(.enter)
    _ = stage.lines(80, 24)
    await until { stage.browser.seenTracker.history?.id.rawValue == 8 }

    let screen = stage.lines(80, 24, .english).joined(separator: "\n")

    #expect(screen.contains("₩10,000   was ₩12,000 just now"))
    #expect(!screen.contains("█"))
  }

  @Test func `a price that never changed has no line`() async throws {
    let stage = try await stage()
    stage.browser.list.select(3)
    stage.press(.enter)
    _ = stage.lines(80, 24)
    await until { stage.browser.seenTracker.history?.id.rawValue == 6 }

    #expect(!stage.lines(80, 24, .english).joined().contains("█"))
  }

  @Test func `a wide detail has a table of the prices above their dates`() async throws {
    let stage = Stage()
    let wall = WallClock(Stage.now.seconds)
    let store = PersonalFile.inMemory(at: wall)
    let product = Product.sample(id: 8, name: "의자")
    for (days, amount) in [(40, 14_000), (5, 12_000), (1, 10_000)] as [(Int64, Int64)] {
      wall.set(to: Stage.now.seconds - days * 86_400)
      await store.didSee(
        [SeenProduct(id: product.id, price: Money(hundredths: amount * 100, currency: .krw))],
        in: .local)
    }
    stage.navigator.program.personal = store
    await store.visit(.local, newest: product.id)
    try await stage.show([product])
    stage.press(.enter)
    try await stage.repository.details.next().answer(.sample(of: product))
    // The personal file may open after the first frame, which tells no observer.
    await poll {
      stage.screen(160, 45).layOut()
      return stage.browser.seenTracker.history?.id == product.id
    }

    let lines = stage.lines(160, 45, .english)

    let prices = try #require(lines.firstIndex { $0.contains("Price     ₩14,000") })
    #expect(lines[prices].contains(/Price +₩14,000 +₩12,000 +₩10,000$/))
    #expect(lines[prices + 1].contains(/[ ]{10}Oct \d+ +Nov \d+ +[a-z]+$/))
    expect(
      lines[prices].columns(before: "₩12,000"), lines[prices + 1].columns(before: "Nov"))
  }
}
