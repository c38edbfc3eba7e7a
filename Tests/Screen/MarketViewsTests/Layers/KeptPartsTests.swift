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

/// Bars and lists that are put again as they were drawn before.
struct KeptPartsTests {
  private static let keys: [KeyPress] = [
    "j", "k", "j", "k", .pageDown, .home, "G", .enter, .escape, .escape, "v", "*", " ", "V", "m",
    "s", "o", "f", "x", "?", "i", "H", "T", "t", "w", "W", "P", "M", "r", "R", ".", "}", "z", "Z",
    "e", "D", "u", "n", "/", "5", "a", "y", "!", "A", ":", "자", .tab, .backspace,
  ]
  private static let sizes = [
    CellSize(columns: 80, rows: 24), CellSize(columns: 200, rows: 12),
    CellSize(columns: 130, rows: 24), CellSize(columns: 50, rows: 30),
  ]

  private func context(_ language: Language) -> RenderContext {
    RenderContext(
      theme: Theme(.dark, strikesThrough: true), strings: Strings(language), pictures: .none,
      now: PictureMarket.now)
  }

  @Test(arguments: UInt64(1)...4)
  func `frames are the same with and without what was drawn before`(seed: UInt64) async throws {
    var random = SeededRandom(seed: seed)
    let screens: [PictureScreen] = [.list, .saleList, .myProducts, .waitingDraft, .markedGrid]
    let screen = screens.randomElement(using: &random) ?? .list
    let market = try await screen.market(in: .english, Self.sizes[0])
    market.navigator.browser.arrange(as: .list)
    var (kept, size) = (context(.english), Self.sizes[0])

    for _ in 0..<40 {
      switch Int.random(in: 0..<30, using: &random) {
      case 0: kept.strings = Strings(Bool.random(using: &random) ? .korean : .english)
      case 1: kept.now = Timestamp(seconds: kept.now.seconds + 60 * .random(in: 1...90))
      case 2: kept.isPlain.toggle()
      case 3: size = Self.sizes.randomElement(using: &random) ?? size
      case 4: changeProduct(of: market, &random)
      case 5: market.stage.browser.refresh()
      case 6: market.navigator.announce(.refreshed(newProducts: 2))
      case 7: market.navigator.stack.close(market.navigator.stack.layers.last ?? market.top)
      case 8: try await market.settle()
      case 9: kept.hasASCIISymbols.toggle()
      default:
        market.put([Self.keys.randomElement(using: &random) ?? "j"])
      }
      try await market.answer()
      let windows = windows(of: market, kept, size)
      windows[0].layOut()
      let (frame, fresh) = (windows[0].draw(), windows[1].draw())
      expect(frame.lines, fresh.lines)
      expect(frame, fresh)
    }
  }

  private func windows(
    of market: PictureMarket, _ kept: RenderContext, _ size: CellSize
  ) -> [Window] {
    var fresh = context(kept.strings.language)
    (fresh.now, fresh.isPlain) = (kept.now, kept.isPlain)
    fresh.hasASCIISymbols = kept.hasASCIISymbols
    return [kept, fresh].map {
      Window(navigator: market.markets.current, size: size, context: $0)
    }
  }

  private func changeProduct(of market: PictureMarket, _ random: inout SeededRandom) {
    guard var detail = market.products.randomElement(using: &random) else { return }
    detail.product.stock = .random(in: 0...2, using: &random)
    detail.product.isReserved = .random(using: &random)
    market.stage.browser.didChange(detail)
  }

  @Test func `what a kept bar shows asks for another frame when it changes`() async throws {
    let stage = Stage(sells: true)
    try await stage.show(Product.samples([3, 2, 1]))
    let window = Window(
      navigator: stage.navigator, size: CellSize(columns: 80, rows: 24),
      context: context(.english))

    for change in [
      { stage.press("j") }, { stage.navigator.announce(.refreshed(newProducts: 1)) },
      { stage.press("5") }, { stage.browser.didChange(.sample(of: .sample(id: 1, stock: 9))) },
      { stage.press("o") },
    ] {
      // The second frame puts the parts of the first one.
      for _ in 0..<2 { _ = window.draw() }
      let asked = Asked()
      let before = observing {
        window.draw()
      } onChange: {
        asked.isAsked = true
      }
      change()

      #expect(asked.isAsked && window.draw() != before)
    }
  }
}

/// Whether a frame was asked for.
nonisolated private final class Asked: @unchecked Sendable {
  // Written and read on the main actor alone.
  var isAsked = false
}
