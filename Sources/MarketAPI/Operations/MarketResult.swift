import MarketModel

/// What a server found out for an operation, to be written as an answer.
package enum MarketResult: Sendable {
  case healthy
  case page(ProductPage)
  /// A product that was asked for, registered, verified, changed or deleted.
  case detail(ProductDetail)
  /// The token of a deletion that may be confirmed: letters, digits, `-`, `_` and `.` only.
  case deletionToken(String)
  case seller(Seller)
  /// A picture file that never changes.
  case picture([UInt8])
}
