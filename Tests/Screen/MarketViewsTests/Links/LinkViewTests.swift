import MarketModel
import MarketStrings
import MarketViewModels
import MarketViews
import SellingTestSupport
import TerminalKit
import TestSupport
import Testing

/// Pasted links, and the question before a link opens an unknown market.
struct LinkViewTests {
  private struct LinkStage {
    let stage = Stage(sells: true)
    let markets: Markets
    let fake: FakeMarkets

    init() async throws {
      markets = Markets(stage.navigator)
      fake = FakeMarkets(["home"], behind: markets, clock: stage.clock)
      try await stage.show([.sample(id: 7, name: "자전거", price: 240_000)])
    }

    func paste(_ text: String) { stage.screen(80, 24).handle(.paste(text)) }

    /// The rows of the question's box.
    func box(_ columns: Int, _ rows: Int, in language: Language = .english) -> [String] {
      stage.lines(columns, rows, language).compactMap { line in
        guard let start = line.firstIndex(where: { "│╭╰".contains($0) }) else { return nil }
        return String(line[start...])
      }
    }
  }

  private static let link = "https://far.example/market/products/12"

  @Test func `an address that is too long for the box is wrapped, and its end can be read`()
    async throws
  {
    let stage = try await LinkStage()
    let path = String(repeating: "m", count: 700)

    stage.paste("https://far.example/\(path)/end/products/12")
    for _ in 0..<40 { stage.stage.press(.down) }

    #expect(stage.box(80, 24).contains { $0.contains("/end") })
  }

  @Test func `a link that is pasted over a question or into a field opens nothing`() async throws {
    let stage = try await LinkStage()

    stage.paste(Self.link)
    stage.paste("http://home/products/3")
    stage.stage.press("n")
    stage.stage.press("n")
    await until { stage.stage.top is FormModel }
    stage.paste("http://home/products/3")

    #expect(stage.fake.opened.isEmpty && stage.stage.top is FormModel)
  }
}
