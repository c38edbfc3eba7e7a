internal import MarketModel

/// Check of favorite products: each market is asked with its own request and timeout, so that a slow
/// one does not delay others.
final class FavoritesCheck {
  /// Markets that are being asked, and the errors of those that did not answer.
  @Observed private(set) var asking: Set<MarketKey> = []
  @Observed private(set) var silent: [MarketKey: RepositoryError] = [:]

  private let store: any PersonalDataStore
  private let favorites: FavoritesModel
  private let clock: any Clock<Duration>
  private var tasks: [Task<Void, Never>] = []

  /// Maximum time for a market's answer.
  private static let timeout = Duration.seconds(10)
  /// Maximum number of markets that are asked; the others are skipped.
  private static let maxMarkets = 20

  init(in store: any PersonalDataStore, _ favorites: FavoritesModel, clock: any Clock<Duration>) {
    self.store = store
    self.favorites = favorites
    self.clock = clock
  }

  /// Asks the markets with the latest favorites.
  func askMarkets(in markets: Markets?) {
    cancel()
    (silent, asking) = ([:], [])
    guard let markets, let probe = markets.probe else { return }
    tasks = [Task.immediate { await askAll(markets, by: probe) }]
  }

  func cancel() { for task in tasks { task.cancel() } }

  private func askAll(_ markets: Markets, by probe: any MarketProbe) async {
    let latest = await store.latestFavorites(ofEach: ProductQuery.maxIDs)
    guard !Task.isCancelled else { return }
    for (market, ids) in latest.prefix(Self.maxMarkets) {
      guard let known = markets.known(market) else { continue }
      asking.insert(market.key)
      tasks.append(Task.immediate { await ask(known, for: ids, by: probe) })
    }
  }

  private func ask(_ market: KnownMarket, for ids: [Product.ID], by probe: any MarketProbe) async {
    let outcome = await MarketTimeout.wait(Self.timeout, on: clock) {
      () throws(RepositoryError) in try await probe.products(ids, in: market)
    }
    guard !Task.isCancelled else { return }
    if case .success(let page) = outcome {
      await favorites.didReceive(page, of: ids, in: market.key)
    }
    guard !Task.isCancelled else { return }
    asking.remove(market.key)
    switch outcome {
    // A market without queries by id updates its products when it shows them.
    case .success, .failure(.unsupported): break
    case .failure(let error): silent[market.key] = error
    }
  }
}
