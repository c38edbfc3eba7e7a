internal import MarketModel

/// Today's prices of recently viewed products, as far as their markets answer.
final class ViewedPrices {
  @Observed private(set) var prices: [FavoriteKey: Money] = [:]
  private let clock: any Clock<Duration>
  private var tasks: [Task<Void, Never>] = []

  /// Maximum time for a market's answer.
  private static let timeout = Duration.seconds(10)

  init(clock: any Clock<Duration>) { self.clock = clock }

  /// Asks each market for the latest of its products.
  func ask(about products: [ViewedProduct], in markets: Markets?) {
    cancel()
    guard let markets, let probe = markets.probe else { return }
    tasks = Dictionary(grouping: products, by: \.market).compactMap { market, products in
      guard let known = markets.known(market) else { return nil }
      let ids = products.prefix(ProductQuery.maxIDs).map(\.product)
      return Task.immediate { await ask(known, for: ids, by: probe) }
    }
  }

  func cancel() { for task in tasks { task.cancel() } }

  private func ask(_ market: KnownMarket, for ids: [Product.ID], by probe: any MarketProbe) async {
    let outcome = await MarketTimeout.wait(Self.timeout, on: clock) {
      () throws(RepositoryError) in try await probe.products(ids, in: market)
    }
    guard !Task.isCancelled, case .success(let page) = outcome else { return }
    for product in page.products {
      let key = FavoriteKey(.product(product.id), in: market.key)
      if let price = product.pricing.price?.toPay { prices[key] = price }
    }
  }
}
