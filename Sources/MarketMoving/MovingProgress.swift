/// How far a run has come.
package struct MovingProgress: Hashable, Sendable {
  /// Products that were read or written so far.
  package var products: Int
  /// The share of all that is to be done, 0 to 1; nil where nobody knows how much there is.
  package var share: Double?

  package init(products: Int, share: Double?) {
    self.products = products
    self.share = share
  }
}
