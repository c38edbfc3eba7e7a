import Expectations
import MarketModel
import MarketStrings
import MarketViewModels
import MarketViews
import TerminalKit
import TestSupport
import Testing

/// Rows that are put again as they were drawn before.
struct RowCacheTests {
  private static let keys: [KeyPress] = ["j", "k", "g", "*", "v", .pageDown, .pageUp]
  private static let names = [
    "자전거 30대", "Lamp", "e\u{301}tude", "커피👩‍👩‍👧", String(repeating: "긴", count: 90),
  ]

  private func context(_ language: Language, _ theme: Theme, now: Int64) -> RenderContext {
    RenderContext(
      theme: theme, strings: Strings(language), pictures: .none,
      now: Timestamp(seconds: Stage.now.seconds + now))
  }

  @Test func `frames are the same with and without what was drawn before`() async throws {
    var random = SeededRandom(seed: 17)
    let stage = Stage()
    try await stage.show(
      (1...60).map { .sample(id: $0, name: Self.names[Int($0) % Self.names.count]) })
    let themes = [Theme(.dark, strikesThrough: true), Theme(.light, strikesThrough: false)]
    var kept = context(.korean, themes[0], now: 0)
    var size = CellSize(columns: 80, rows: 24)

    for _ in 0..<300 {
      switch Int.random(in: 0..<8, using: &random) {
      case 0: kept.strings = Strings(Bool.random(using: &random) ? .korean : .english)
      case 1: kept.theme = themes.randomElement(using: &random) ?? themes[0]
      case 2: kept.now = Timestamp(seconds: kept.now.seconds + 3_600)
      case 3: kept.isPlain.toggle()
      case 4:
        size = CellSize(
          columns: .random(in: 20...140, using: &random), rows: .random(in: 8...50, using: &random))
      case 5:
        let changed = Product.sample(
          id: .random(in: 1...60, using: &random),
          price: .random(in: 1...9_000_000, using: &random),
          stock: .random(in: 0...2, using: &random))
        stage.browser.didChange(.sample(of: changed))
      default:
        let key = Self.keys.randomElement(using: &random) ?? "j"
        Window(navigator: stage.navigator, size: size, context: kept).handle(.key(key))
      }
      var fresh = context(kept.strings.language, kept.theme, now: 0)
      (fresh.now, fresh.isPlain) = (kept.now, kept.isPlain)
      let windows = [kept, fresh].map {
        Window(navigator: stage.navigator, size: size, context: $0)
      }
      windows[0].layOut()
      expect(windows[0].draw(), windows[1].draw())
    }
  }
}
