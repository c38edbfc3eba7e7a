/// Product whose detail was opened, as it was then.
package struct ViewedProduct: Hashable, Sendable, Identifiable {
  package var market: FavoriteMarket
  package var product: Product.ID
  /// Foreign text.
  package var name: String
  /// The price to pay; nil where it could not be read.
  package var price: Money?
  /// When it was opened last.
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
