import Expectations
import MarketModel
import TestSupport
import Testing

@testable import MarketViewModels

struct FavoritesCacheTests {
  /// A product of this price, as it was seen or is by now.
  private func favorite(_ price: Int64) -> FavoriteProduct {
    let time = Timestamp(seconds: 1)
    return FavoriteProduct(
      id: FavoriteID(rawValue: 3), market: FavoriteMarket(key: .local, name: nil, location: nil),
      product: .sample(id: 1, price: price), added: time, seen: time)
  }

  @Test func `a price that its market names anew is told beside the one that was seen last`() {
    var cache = FavoritesCache()
    cache.add([favorite(240_000)], [])

    for price: Int64 in [200_000, 200_000, 190_000] { _ = cache.refresh([favorite(price)]) }

    expect(
      cache.previousPrices, [FavoriteID(rawValue: 3): Money(hundredths: 24_000_000, currency: .krw)]
    )
  }

  @Test func `what costs what it did has no previous price`() {
    var cache = FavoritesCache()
    cache.add([favorite(240_000)], [])

    let isNew = cache.refresh([favorite(240_000)])

    #expect(!isNew && cache.previousPrices.isEmpty)
  }
}
