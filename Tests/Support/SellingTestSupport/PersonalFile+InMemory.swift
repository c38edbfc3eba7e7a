import MarketModel
import SQLiteKit
import TestSupport

@testable import PersonalStore

extension PersonalFile {
  /// A store in memory, which holds nothing yet.
  package static func inMemory(
    at clock: WallClock = WallClock(), limits: Limits = Limits()
  ) -> PersonalFile {
    PersonalFile(at: nil, now: { clock.now }, limits: limits, report: { _ in })
  }

  /// All favorite products, the latest first.
  package var favoritesNow: [FavoriteProduct] { favoriteProducts(favoriteList(of: []).products) }

  /// Adds favorite products of the local market in one statement.
  package func fillFavorites(_ count: Int64) {
    _ = add(
      .sample(id: 1), description: nil, of: FavoriteMarket(key: .local, name: nil, location: nil))
    write { connection throws(StoreError) in
      try connection.run(
        """
        WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
        INSERT INTO favorite_product (market, product, added, seen, seller, seller_name, name,
          discount, currency, stock, created, changed, by_day, words)
        SELECT 1, i, 1, 1, 1, '', 'Ware ' || i, 0, 'KRW', 1, 1, 1, 0, 'ware ' || i FROM n
        """, .integer(count))
    }
  }

  /// Begins a visit to a market and ends it.
  package func visit(_ market: MarketKey, newest: Product.ID?) {
    isVisiting(market, newest: newest)
    didLeave(market)
  }

  /// Waits until tasks of the main actor that use the store have come to their ends.
  @MainActor package func settle() async {
    for _ in 0..<20 {
      await Task.yield()
      // The store has one queue: all earlier calls are answered.
      _ = await trouble
    }
  }
}
