/// Record of a product that was on the screen.
package struct SeenRecord: Hashable, Sendable {
  /// When the product was last seen, within some hours.
  package var at: Timestamp
  /// When the product was first seen.
  package var first: Timestamp
  /// Price to pay when last seen; nil where it was unreadable.
  package var latest: Money?
  /// Price to pay at the last visit, or the first one seen since; nil where it was unreadable.
  package var previous: Money?

  package init(at: Timestamp, first: Timestamp? = nil, latest: Money?, previous: Money?) {
    self.at = at
    self.first = first ?? at
    self.latest = latest
    self.previous = previous
  }
}

/// Product on the screen.
package struct SeenProduct: Hashable, Sendable {
  package var id: Product.ID
  /// Price to pay; nil where it is unreadable.
  package var price: Money?

  package init(id: Product.ID, price: Money?) {
    self.id = id
    self.price = price
  }
}

/// Price to pay, and when it was first seen.
package struct PricePoint: Hashable, Sendable {
  package var at: Timestamp
  package var price: Money

  package init(at: Timestamp, price: Money) {
    self.at = at
    self.price = price
  }
}
