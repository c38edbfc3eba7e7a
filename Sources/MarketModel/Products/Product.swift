/// A product as a row or card of a list shows it.
package struct Product: Hashable, Sendable, Identifiable {
  /// The number of a product: rising, never reused; "newest" is the highest.
  package struct ID: RawRepresentable, Hashable, Comparable, Sendable {
    package let rawValue: Int64

    package init(rawValue: Int64) {
      self.rawValue = rawValue
    }

    package static func < (left: ID, right: ID) -> Bool { left.rawValue < right.rawValue }
  }

  package var id: ID
  package var seller: Seller
  /// The name as it came; foreign text.
  package var name: String
  package var pricing: Pricing
  /// Pieces left: 0 is sold out, at most 2^53.
  package var stock: Int64
  package var created: Timestamp
  package var changed: Timestamp
  /// The first picture; nil where the source sent none that can be fetched.
  package var thumbnail: Picture?

  package init(
    id: ID, seller: Seller, name: String, pricing: Pricing, stock: Int64, created: Timestamp,
    changed: Timestamp, thumbnail: Picture?
  ) {
    self.id = id
    self.seller = seller
    self.name = name
    self.pricing = pricing
    self.stock = stock
    self.created = created
    self.changed = changed
    self.thumbnail = thumbnail
  }

  package var isSoldOut: Bool { stock == 0 }
}
