internal import MarketModel

/// Part of the browser that follows what its list does.
///
/// A new one is a file of its own and a line where `BrowserModel` makes its followers; it hears of what
/// it does not leave out.
protocol ListObserver: AnyObject {
  /// Another row is selected, or the same one again after rows came; nil where it was not read.
  func didSelect(_ product: ListedProduct?)
  /// Rows came to the screen.
  func didShow()
  /// A page came, or did not.
  func didRead()
  /// The list begins to be read again from its top.
  func willReadTop()
  /// Rows that have to go when that was read.
  func takeDeletedIDs() -> Set<Product.ID>
  /// The top of the list was read again.
  func didReadTop(_ feed: ProductFeed)
  /// Rows came back that were left for others.
  func didReturn()
  /// The market answers again.
  func didReceive()
  /// This program registered a product, which goes on top.
  func didRegister(_ detail: ProductDetail)
  /// This program changed a product.
  func didChange(_ detail: ProductDetail)
  /// This program deleted a product.
  func didDelete(_ id: Product.ID)
}

extension ListObserver {
  func didSelect(_ product: ListedProduct?) {}
  func didShow() {}
  func didRead() {}
  func willReadTop() {}
  func takeDeletedIDs() -> Set<Product.ID> { [] }
  func didReadTop(_ feed: ProductFeed) {}
  func didReturn() {}
  func didReceive() {}
  func didRegister(_ detail: ProductDetail) {}
  func didChange(_ detail: ProductDetail) {}
  func didDelete(_ id: Product.ID) {}
}
