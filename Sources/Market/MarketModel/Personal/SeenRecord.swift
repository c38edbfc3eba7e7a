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
