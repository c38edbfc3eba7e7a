import MarketModel

/// A new product as it goes into the tables; everything it refers to is there already.
struct ProductRecord {
  var seller: Seller
  var name: String
  var description: String
  var price: Price
  var stock: Int64
  /// Seconds since 1970.
  var created: Int64
  /// Keys of its pictures, in order.
  var pictures: [Int64]
  /// Key of its password's hash.
  var password: Int64

  /// Bit 0: in stock; bit 1: reduced.
  var state: Int { (stock > 0 ? 1 : 0) + (price.isReduced ? 2 : 0) }
}

extension Product {
  /// Bit 0: in stock; bit 1: reduced.
  package var state: Int { (isSoldOut ? 0 : 1) + (pricing.price?.isReduced == true ? 2 : 0) }
}
