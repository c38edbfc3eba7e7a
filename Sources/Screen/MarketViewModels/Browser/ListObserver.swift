internal import MarketModel

/// Observer of a market's product list.
///
/// Add one as a file of its own, and to the observers in `BrowserModel` or `Navigator`. All methods
/// have an empty default.
protocol ListObserver: AnyObject {
  /// The selection or its row changed; nil if the row is not loaded.
  func didSelect(_ product: ListedProduct?)
  /// Other rows are on the screen.
  func didShow()
  /// A page arrived or failed; `isTop` is true if the first page arrived.
  func didRead(isTop: Bool)
  /// Products or the state of the market changed.
  func didReceive(_ news: ListNews)
}

extension ListObserver {
  func didSelect(_ product: ListedProduct?) {}
  func didShow() {}
  func didRead(isTop: Bool) {}
  func didReceive(_ news: ListNews) {}
}

/// Event of the list or its market.
enum ListNews {
  /// The countdown ended, and failed requests are repeated.
  case countdownEnded
  /// The market answers again after a failure.
  case marketAnswered
  /// This program changed a product.
  case changedHere(SellingOutcome)
  /// Others changed products, questions or a seller.
  case changed([MarketChange])
  /// Rows were read for live changes; those that differ from before.
  case readRows([Product])
  /// Others reserved products on the screen.
  case reserved([Product])
  /// Products were found to be deleted.
  case gone(Set<Product.ID>)
  /// The read of a product for its detail ended.
  case readDetail(Product.ID, Result<ProductDetail, RepositoryError>)
}

/// Observers of a list, called in the order in which they were added.
///
/// Both sides hold each other until `end()` is called.
final class ListObservers {
  private var observers: [any ListObserver] = []

  func add(_ observers: [any ListObserver]) { self.observers += observers }

  /// Releases the observers; no further event is passed on.
  func end() { observers = [] }

  func didSelect(_ product: ListedProduct?) { for each in observers { each.didSelect(product) } }

  func didShow() { for each in observers { each.didShow() } }

  func didRead(isTop: Bool) { for each in observers { each.didRead(isTop: isTop) } }

  func report(_ news: ListNews) { for each in observers { each.didReceive(news) } }
}
