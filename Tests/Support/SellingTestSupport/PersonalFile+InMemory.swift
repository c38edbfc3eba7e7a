import MarketModel
import PersonalStore
import TestSupport

extension PersonalFile {
  /// A store in memory, which holds nothing yet.
  package static func inMemory(
    at clock: WallClock = WallClock(), limits: Limits = Limits()
  ) -> PersonalFile {
    PersonalFile(at: nil, now: { clock.now }, limits: limits, tell: { _ in })
  }

  /// All favorite products, the latest first.
  package var favoritesNow: [FavoriteProduct] { favoriteProducts(favoriteList(of: []).products) }

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
