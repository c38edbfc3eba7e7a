internal import MarketModel

/// Rows of the list of what is kept: they come from the file as they are needed, and anew when it learns
/// how their products are by now.
final class FavoriteRows {
  @Observed private(set) var cache = FavoritesCache()

  private let store: any PersonalDataStore
  private let list: FavoritesListModel.List
  private var filling: Task<Void, Never>?
  private var following: Task<Void, Never>?

  /// Screens that are read before and after the one that is shown.
  private static let screensAhead = 3

  init(of list: FavoritesListModel.List, in store: any PersonalDataStore) {
    self.list = list
    self.store = store
  }

  /// Whether rows are on their way.
  var areComing: Bool { filling != nil }

  /// Reads the rows on the screen and around it where some are not there yet, one question at a time.
  func fill() {
    guard filling == nil, let (products, sellers) = missing() else { return }
    filling = Task.immediate {
      let readProducts = products.isEmpty ? [] : await store.favoriteProducts(products)
      let readSellers = sellers.isEmpty ? [] : await store.favoriteSellers(sellers)
      guard !Task.isCancelled else { return }
      filling = nil
      cache.take(readProducts, readSellers)
      // What is not there any more was let go of elsewhere, and is not asked for again and again.
      if !readProducts.isEmpty || !readSellers.isEmpty { fill() }
    }
  }

  /// The numbers of the rows to read: those of several screens, where some of the screens beside this
  /// one are missing; nil where these are there.
  ///
  /// A row at a time would be a question and a frame more for each key that scrolls.
  private func missing() -> (products: [FavoriteID], sellers: [FavoriteID])? {
    guard cache.missing(in: list.items(within: 1)) != nil else { return nil }
    return cache.missing(in: list.items(within: Self.screensAhead))
  }

  /// Reads the rows of each of these markets anew.
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

  /// Writes a note to what has a key.
  func write(_ note: String, to key: FavoriteKey) { cache.write(note, to: key) }

  func cancel() { for task in [filling, following] { task?.cancel() } }
}
