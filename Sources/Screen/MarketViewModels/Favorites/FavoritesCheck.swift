internal import MarketModel

/// Check of how the kept products are by now: each market is asked for its own by itself, and one that
/// does not answer holds up nobody.
final class FavoritesCheck {
  /// The markets that are being asked, and why others do not answer.
  @Observed private(set) var asking: Set<MarketKey> = []
  @Observed private(set) var silent: [MarketKey: RepositoryError] = [:]

  private let store: any PersonalDataStore
  private let favorites: FavoritesModel
  private let clock: any Clock<Duration>
  private var tasks: [Task<Void, Never>] = []

  /// A market that has said nothing after this time does not answer.
  private static let timeout = Duration.seconds(10)
  /// Markets that are asked at once.
  private static let maxMarkets = 20

  init(in store: any PersonalDataStore, _ favorites: FavoritesModel, clock: any Clock<Duration>) {
    self.store = store
    self.favorites = favorites
    self.clock = clock
  }

  /// Asks the markets in which something was kept last.
  func begin(in markets: Markets?) {
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
    // A market that cannot be asked by numbers says how its products are when it shows them.
    case .success, .failure(.unsupported): break
    case .failure(let error): silent[market.key] = error
    }
  }
}
