/// Product whose detail was opened, as it was then.
package struct ViewedProduct: Hashable, Sendable, Identifiable {
  package var market: FavoriteMarket
  package var product: Product.ID
  /// Foreign text.
  package var name: String
  /// Price to pay; nil where it was unreadable.
  package var price: Money?
  /// When it was last opened.
  package var viewed: Timestamp

  package init(
    market: FavoriteMarket, product: Product.ID, name: String, price: Money?, viewed: Timestamp
  ) {
    self.market = market
    self.product = product
    self.name = name
    self.price = price
    self.viewed = viewed
  }

  package var id: FavoriteKey { FavoriteKey(.product(product), in: market.key) }
}
