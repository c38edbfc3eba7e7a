import Expectations
import MarketModel
import MarketStrings
import MarketViews
import SellingTestSupport
import TerminalKit
import TestSupport
import Testing

@testable import MarketViewModels

/// The box of a change to several products, and the line before it.
struct BulkEditViewTests {
  private let products = [1, 2].map { ListedProduct(.sample(id: $0, name: "Ware \($0)")) }

  /// A stage on which products are asked about.
  private func asking(_ change: BulkChange) async throws -> Stage {
    let stage = Stage(sells: true)
    try await stage.show(products.map(\.product))
    stage.navigator.selling?.change(products, by: change)
    stage.press("s", "e", "c", "r", .enter)
    try await stage.repository.verifications.next().answer(())
    if change != .deletion {
      for product in products {
        try await stage.repository.details.next().answer(.sample(of: product.product))
      }
    }
    await until { (stage.top as? BulkEditModel)?.phase == .asking }
    return stage
  }

  @Test func `the question has the keys and answers that every question has`() async throws {
    let stage = try await asking(.price(.percent(-1_000)))

    let lines = stage.lines(80, 24, .english)
    #expect(lines.contains { $0.contains("│ ▸ Save     No ") })
    expect(lines.last, " ↵ OK  Tab Switch  y Yes  n No  Esc Cancel")
    stage.press(.enter)

    expect((stage.top as? BulkEditModel)?.phase, .sending)
    try await stage.repository.updates.next().fail(.unreachable(.timedOut))
  }

  @Test func `a deletion is told as what is going to be, and no is its first answer`() async throws
  {
    let stage = try await asking(.deletion)

    let lines = stage.lines(80, 24, .english)
    #expect(lines.contains { $0.contains("Ware 1") && $0.contains("will be deleted") })
    #expect(lines.contains { $0.contains("│   Delete   ▸ No ") })
    stage.press("ㅛ")
    #expect(stage.top is BulkEditModel && stage.repository.deletions.callCount == 0)
    stage.press(.enter)
    await stage.settle()

    #expect(!(stage.top is BulkEditModel) && stage.repository.deletions.callCount == 0)
  }

  @Test func `a problem of the price has a cross, also without colour, and the box no blank rows`()
    async
  {
    let stage = Stage(sells: true)
    let prompt = PromptModel(.bulkPrice)
    stage.navigator.stack.push(prompt)
    let asked = stage.lines(80, 24, .english)
    let top = asked.firstIndex { $0.contains("╭─ Change the price") } ?? 0
    #expect(asked[top + 2].contains("A new price: 120 or =120. A change:"))
    #expect(asked[top + 2].contains("-10%") && asked[top + 4].contains("╰"))

    prompt.outcome = .severalCurrencies([.krw, .usd])

    #expect(
      stage.lines(80, 24, .english)[top + 2].contains("✗ These products are priced in KRW, USD"))
  }
}
