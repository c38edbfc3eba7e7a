import MarketModel

/// A product of the sample market, before a store gives it an id, a seller and a date.
package struct SampleProduct: Sendable {
  package let name: String
  package let description: String
  /// The same name is the same seller.
  package let sellerName: String
  package let price: Price
  package let stock: Int64
  /// Seconds between its registration and the moment a market is filled, so that a new market is
  /// never stale: from some seconds to two years.
  package let ageSeconds: Int64
  /// 1 to 5; the first is the thumbnail.
  package let pictures: [PreparedPicture]
}
