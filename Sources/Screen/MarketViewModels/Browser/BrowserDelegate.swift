package import MarketModel

/// The program around the browser: it shows notices, and knows who sells.
package protocol BrowserDelegate: AnyObject {
  /// Products that were registered from here, the latest last, for a market that cannot be asked by
  /// seller.
  var registered: [Product.ID] { get }
  /// Who registered these; nil where nothing was.
  var ownSeller: Seller.ID? { get }
  /// Shows what a refresh found or why it failed.
  func announce(_ notice: Notice)
  /// It is known where a product stands that was registered just now.
  func didPlace(_ registered: Product.ID, _ position: RegisteredPosition)
  /// The market answers again.
  func marketDidAnswer()
  /// Others changed products while one looks.
  func marketDidChange(_ changes: [ProductChange])
  /// A seller has another name or contact.
  func sellerDidChange(_ seller: Seller.ID)
  /// The products of the market that the person keeps.
  var favoriteProducts: Set<Product.ID> { get }
  /// Rows are on the screen; `products` are those that were read just now.
  func didShow(_ products: [Product])
  /// Products are found to be gone.
  func didLose(_ products: Set<Product.ID>)
}

extension BrowserDelegate {
  package var ownSeller: Seller.ID? { nil }

  package func didPlace(_ registered: Product.ID, _ position: RegisteredPosition) {}
  package func marketDidAnswer() {}
  package func marketDidChange(_ changes: [ProductChange]) {}
  package func sellerDidChange(_ seller: Seller.ID) {}
  package var favoriteProducts: Set<Product.ID> { [] }
  package func didShow(_ products: [Product]) {}
  package func didLose(_ products: Set<Product.ID>) {}
}
