internal import MarketModel

/// Part of a market's screens that observes what its list of products does.
///
/// A new one is a file of its own and a line where `BrowserModel` or `Navigator` names the observers;
/// it is told what it does not leave out.
protocol ListObserver: AnyObject {
  /// Another row is selected, or the same one again after rows came; nil where it was not read.
  func didSelect(_ product: ListedProduct?)
  /// Rows came to the screen.
  func didShow()
  /// A page came, or did not; `isTop` is true where one came that the list begins with.
  func didRead(isTop: Bool)
  /// Something happened to products, or to the market.
  func didReceive(_ news: ListNews)
}

extension ListObserver {
  func didSelect(_ product: ListedProduct?) {}
  func didShow() {}
  func didRead(isTop: Bool) {}
  func didReceive(_ news: ListNews) {}
}

/// News of the products of a list, and of its market.
enum ListNews {
  /// The market is asked again for what did not come, for the countdown is over.
  case countdownEnded
  /// The market answers after it had not.
  case marketAnswered
  /// This program changed a product.
  case changedHere(SellingOutcome)
  /// Others changed products or a seller.
  case changed([MarketChange])
  /// Rows were read by themselves, and are other than they were.
  case readRows([Product])
  /// Others reserved products that are on the screen.
  case reserved([Product])
  /// Products are found to be gone.
  case gone(Set<Product.ID>)
  /// A product was read for its detail, or was not there to be read.
  case readDetail(Product.ID, Result<ProductDetail, RepositoryError>)
}

/// The observers of a list, in the order in which they are told.
///
/// They hold what they observe, and it them, until `end` is called.
final class ListObservers {
  private var observers: [any ListObserver] = []

  func add(_ observers: [any ListObserver]) { self.observers += observers }

  /// Tells nobody anything any more.
  func end() { observers = [] }

  func didSelect(_ product: ListedProduct?) { for each in observers { each.didSelect(product) } }

  func didShow() { for each in observers { each.didShow() } }

  func didRead(isTop: Bool) { for each in observers { each.didRead(isTop: isTop) } }

  func tell(_ news: ListNews) { for each in observers { each.didReceive(news) } }
}
