import MarketModel
import TestSupport
import Testing

@testable import MarketViewModels

@Suite struct KeptCacheTests {
  /// A product of this price, as it was seen or is by now.
  private func kept(_ price: Int64) -> KeptProduct {
    let time = Timestamp(seconds: 1)
    return KeptProduct(
      id: KeptID(rawValue: 3), market: KeptMarket(key: .local, name: nil, place: nil),
      product: .sample(id: 1, price: price), kept: time, seen: time)
  }

  @Test func `a price that its market names anew is told beside the one that was seen last`() {
    var cache = KeptCache()
    cache.take([kept(240_000)], [])

    for price: Int64 in [200_000, 200_000, 190_000] { _ = cache.refresh([kept(price)]) }

    #expect(
      cache.formerPrices == [KeptID(rawValue: 3): Money(hundredths: 24_000_000, currency: .krw)])
  }

  @Test func `what costs what it did has no former price`() {
    var cache = KeptCache()
    cache.take([kept(240_000)], [])

    let isNew = cache.refresh([kept(240_000)])

    #expect(!isNew && cache.formerPrices.isEmpty)
  }
}
