internal import MarketModel

/// Favorites of one market.
struct MarketFavorites {
  let model: FavoritesModel
  let market: MarketKey

  /// Ids of the favorite products.
  var products: Set<Product.ID> { model.products(of: market) }
}

/// Observer of a list that updates the favorites of its market.
final class FavoritesObserver: ListObserver {
  private let favorites: MarketFavorites
  private let navigator: Navigator

  init(_ favorites: MarketFavorites, on navigator: Navigator) {
    self.favorites = favorites
    self.navigator = navigator
  }

  private var browser: BrowserModel { navigator.browser }

  func didShow() {
    // Before the first rows there is nothing to report, and no need to read the store.
    let isComing = browser.feed.count == 0 && browser.feed.phase == .loading
    if !isComing { reportShown() }
  }

  func didReceive(_ news: ListNews) {
    switch news {
    case .changedHere(.changed(let detail)): report([detail.product])
    case .changedHere(.deleted(let id)): reportDeleted([id])
    case .changed(let changes):
      reportDeleted(Set(changes.compactMap(\.product).filter { $0.kind == .deleted }.map(\.id)))
    case .readRows(let products): report(products)
    case .gone(let ids): reportDeleted(ids)
    case .readDetail(_, .success(let detail)):
      favorites.model.didSee(detail, in: favorites.market)
    case .readDetail(let id, .failure(let error)):
      if error == .notFound { reportDeleted([id]) }
      if browser.detail.showsKnown { browser.notices.show(.failed(error)) }
    case .changedHere, .countdownEnded, .marketAnswered, .reserved: break
    }
  }

  /// Reports the visible rows if they are not cached ones.
  private func reportShown() {
    let feed = browser.feed
    let isFresh = feed.seenAt == nil && !feed.isStale
    report(isFresh ? browser.viewport.visibleWithCutRow.compactMap { feed[$0]?.product } : [])
  }

  private func report(_ products: @autoclosure () -> [Product]) {
    if favorites.model.beginsLoading(favorites.market) {
      Task {
        await favorites.model.load(favorites.market)
        reportShown()
      }
    }
    lazy var shown = products()
    favorites.model.didSee(shown, in: favorites.market)
    navigator.relocation.didShow(shown, on: navigator)
  }

  private func reportDeleted(_ products: Set<Product.ID>) {
    favorites.model.didLose(products, in: favorites.market)
  }
}
