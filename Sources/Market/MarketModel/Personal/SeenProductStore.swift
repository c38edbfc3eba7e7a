/// The port to what a person saw of products, and at which prices.
package protocol SeenProductStore: Sendable {
  /// What is known of those products among some that were on the screen before.
  ///
  /// `visit` is when the last visit ended: the former price is that of then.
  func seenProducts(
    of products: [Product.ID], in market: MarketKey, before visit: Timestamp?
  ) async -> [Product.ID: SeenRecord]
  /// Takes note of what was on the screen just now.
  func didSee(_ products: [SeenProduct], in market: MarketKey) async
  /// Takes note that all products up to one count as seen, until the next visit has a newest of its
  /// own.
  func didSeeAll(through newest: Product.ID, in market: MarketKey) async
  /// The prices at which a product was seen, the oldest first.
  func prices(of product: Product.ID, in market: MarketKey) async -> [PricePoint]
}

/// What is remembered of a product that was on the screen.
package struct SeenRecord: Hashable, Sendable {
  /// The last time, to some hours.
  package var at: Timestamp
  /// The first time.
  package var first: Timestamp
  /// The price to pay that was seen last; nil where none could be read.
  package var latest: Money?
  /// The price to pay as of the last visit; where it was first seen later, the first one.
  package var former: Money?

  package init(at: Timestamp, first: Timestamp? = nil, latest: Money?, former: Money?) {
    self.at = at
    self.first = first ?? at
    self.latest = latest
    self.former = former
  }
}

/// A product as it was on the screen.
package struct SeenProduct: Hashable, Sendable {
  package var id: Product.ID
  /// The price to pay; nil where it could not be read.
  package var price: Money?

  package init(id: Product.ID, price: Money?) {
    self.id = id
    self.price = price
  }
}

/// A price to pay, and when it was seen first.
package struct PricePoint: Hashable, Sendable {
  package var at: Timestamp
  package var price: Money

  package init(at: Timestamp, price: Money) {
    self.at = at
    self.price = price
  }
}
