import Expectations
import MarketModel
import MarketStrings
import MarketViewModels
import MarketViews
import SellingTestSupport
import TerminalKit
import TestSupport
import Testing

/// Which pictures the list asks for, and in which order.
struct PictureOrderTests {
  /// The page of a number, of twenty products with a picture each.
  private func page(_ number: Int) -> ProductPage {
    let ids = (0..<20).map { Int64(2_000 - (number - 1) * 20 - $0) }
    return ProductPage(
      products: ids.map { id in
        .sample(id: id, thumbnail: Picture(original: "\(id)", thumbnail: "\(id)"))
      },
      total: .exactly(2_000), next: .number(number + 1))
  }

  @Test(arguments: [BrowserModel.Arrangement.grid, .list])
  func `no picture ahead is asked for before the rows on the screen are known`(
    arrangement: BrowserModel.Arrangement
  ) async throws {
    let stage = Stage(arrangement)
    let pages = stage.repository.pages
    stage.browser.start()
    try await pages.next().answer(page(1))
    await until { !stage.browser.feed.isStale && stage.browser.capabilities != nil }
    _ = stage.screen(160, 24)
    try await pages.next().answer(page(2))
    await until { stage.browser.feed[39] != nil }
    for key in ["9", "9", "9", "G"] as [KeyPress] { stage.press(key, columns: 160) }
    _ = stage.screen(160, 24)

    var (near, ahead) = (try await pages.next(), try await pages.next())
    // Two that leave together may arrive in either order.
    if near.request.position == .number(51) { swap(&near, &ahead) }
    ahead.answer(page(51))
    await until { stage.browser.feed[1_019] != nil }
    let early = stage.screen(160, 24).wants
    near.answer(page(50))
    await until { stage.browser.feed[998] != nil }
    let late = stage.screen(160, 24).wants

    expect([near, ahead].map(\.request.position), [.number(50), .number(51)])
    #expect(late.count > early.count + 10)
    #expect(early.allSatisfy { want in late.prefix(20).contains(want) })
  }
}
