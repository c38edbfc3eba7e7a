internal import MarketModel

/// Content of the list's lines: read from the store as they are shown, and again when a market has
/// reported newer values.
final class FavoriteRows {
  @Observed private(set) var cache = FavoritesCache()

  private let store: any PersonalDataStore
  private let list: PersonalListModel.List
  private var filling: Task<Void, Never>?
  private var following: Task<Void, Never>?

  /// Number of screens that are read before and after the shown one.
  private static let screensAhead = 3

  init(of list: PersonalListModel.List, in store: any PersonalDataStore) {
    self.list = list
    self.store = store
  }

  /// Whether rows are being read.
  var areComing: Bool { filling != nil }

  /// Reads the missing rows on the screen and around it, one query at a time.
  func fill() {
    guard filling == nil, let (products, sellers) = missing() else { return }
    filling = Task.immediate {
      let readProducts = products.isEmpty ? [] : await store.favoriteProducts(products)
      let readSellers = sellers.isEmpty ? [] : await store.favoriteSellers(sellers)
      guard !Task.isCancelled else { return }
      filling = nil
      cache.add(readProducts, readSellers)
      // Rows that another program has removed are not queried again.
      if !readProducts.isEmpty || !readSellers.isEmpty { fill() }
    }
  }

  /// Ids of the rows to read: those of several screens, if some within one screen are missing; else
  /// nil.
  ///
  /// Reading single rows would cost a query and a frame for each key that scrolls.
  private func missing() -> (products: [FavoriteID], sellers: [FavoriteID])? {
    guard cache.missing(in: list.items(within: 1)) != nil else { return nil }
    return cache.missing(in: list.items(within: Self.screensAhead))
  }

  /// Reads the rows of each of these markets again.
  func follow(_ markets: AsyncStream<MarketKey>) {
    following = Task.immediate { for await market in markets { await readAgain(market) } }
  }

  private func readAgain(_ market: MarketKey) async {
    let ids = cache.products.values.filter { $0.favorite.market.key == market }.map(\.favorite.id)
    guard !ids.isEmpty else { return }
    let products = await store.favoriteProducts(ids)
    var cache = cache
    if cache.refresh(products) { self.cache = cache }
  }

  /// Sets the note of a row.
  func write(_ note: String, to key: FavoriteKey) { cache.write(note, to: key) }

  func cancel() { for task in [filling, following] { task?.cancel() } }
}
