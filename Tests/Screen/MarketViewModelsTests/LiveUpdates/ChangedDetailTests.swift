import Expectations
import MarketModel
import MarketViewModels
import SellingTestSupport
import TestSupport
import Testing

/// An open detail whose product others change.
struct ChangedDetailTests {
  private let market = WatchedBrowser()

  private var detail: DetailModel { market.browser.detail }

  /// A detail of product 9 in its first version, read to its end.
  private func open() async throws {
    try await market.show(Product.samples([9, 8]))
    detail.show(ListedProduct(.sample(id: 9)))
    try await market.repository.details.next().answer(.sample(of: .sample(id: 9)))
    await until { detail.isComplete }
  }

  @Test func `a change is told and changes nothing until it is asked for`() async throws {
    try await open()
    market.changes.tell(.sample(.changed, 9))
    await until { detail.news == .changed }
    let before = detail.product?.product.name

    detail.refresh()
    try await market.repository.details.next().answer(
      .sample(of: .sample(id: 9, name: "Lamp"), version: ProductVersion(rawValue: "2")))
    await until { detail.news == nil }

    expect(before, "Product 9")
    expect(detail.product?.product.name, "Lamp")
  }

  @Test func `the version that is shown is no news`() async throws {
    try await open()

    market.changes.tell(.sample(.changed, 9, version: "1"), .sample(.deleted, 8))
    await until { market.news(of: 8) == .deleted }

    expect(detail.news, nil)
  }

  @Test func `a deletion is told, and no change after it`() async throws {
    try await open()

    market.changes.tell(.sample(.deleted, 9), .sample(.changed, 9, version: "3"))
    await until { detail.news != nil }

    expect(detail.news, .deleted)
    #expect(detail.isComplete)
  }

  @Test func `the next product has no news of the one before`() async throws {
    try await open()
    market.changes.tell(.sample(.changed, 9))
    await until { detail.news == .changed }

    detail.show(ListedProduct(.sample(id: 8)))

    expect(detail.news, nil)
  }
}
