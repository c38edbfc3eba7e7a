import MarketModel
import StoreCore

/// A new product as it goes into the tables; everything it refers to is there already.
struct ProductRecord {
  /// Its number; nil for the next one.
  var id: Int64?
  var seller: Seller
  var name: String
  var description: String
  var price: Price
  var stock: Int64
  /// Seconds since 1970.
  var created: Int64
  /// Seconds since 1970.
  var changed: Int64
  var version: Int64 = 1
  /// Keys of its pictures, in order.
  var pictures: [Int64]
  /// Key of its password's hash.
  var password: Int64

  var state: Int { ProductState.of(stock: stock, isReduced: price.isReduced) }
}
