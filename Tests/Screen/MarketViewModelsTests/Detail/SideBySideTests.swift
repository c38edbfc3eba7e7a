import Expectations
import MarketModel
import SafeTextKit
import SellingTestSupport
import TestSupport
import Testing

@testable import MarketViewModels

/// A product of one market beside one of another.
struct SideBySideTests {
  @Test func `the second product may be of another market, and each is read from its own`()
    async throws
  {
    let (clock, repository) = (ManualClock(), GatedProductRepository())
    let local = Navigator(
      browser: BrowserModel(
        repository: repository, arrangement: .list, pageSize: 4, clock: clock, jitter: .fixed(0)),
      gallery: PictureGallery(loader: NoPictures()), marketName: nil, clock: clock,
      now: { Timestamp(seconds: 0) })
    let markets = Markets(local)
    let fake = FakeMarkets(["a"], behind: markets, clock: clock)
    local.start()
    try await repository.pages.next().answer(.sample([9, 8]))
    await until { local.browser.selected != nil }
    local.putSideBySide()

    await markets.show(FakeMarkets.server("a"))
    let other = markets.current
    let far = try #require(fake.repositories[other.market])
    try await far.pages.next().answer(.sample([9, 3]))
    await until { other.browser.selected != nil }
    expect(other.sideBySideStep, .show)
    other.putSideBySide()
    try await repository.details.next().answer(.sample(of: .sample(id: 9, name: "Near")))
    try await far.details.next().answer(.sample(of: .sample(id: 9, name: "Far")))

    let model = try #require(other.stack.top as? SideBySideModel)
    await until { model.sides.allSatisfy { $0.detail != nil } }
    expect(model.sides.map(\.product.name), ["Near", "Far"])
    expect(model.sides.map(\.market), [nil, "a"])
    #expect(local.browser.rowMarking.marks(of: Product.ID(rawValue: 9)).isRemembered)
    other.stack.close(model)
    #expect(!local.browser.rowMarking.marks(of: Product.ID(rawValue: 9)).isRemembered)
    expect([local, other].map(\.sideBySideStep), [.remember, .remember])
  }
}
