/// The port to when a person was in which market.
package protocol VisitStore: Sendable {
  /// The last visit to a market that has ended; nil where there was none.
  func lastVisit(to market: MarketKey) async -> Visit?
  /// Takes note that a person looks at a market: the visit begins with the first such note, and ends
  /// with the last program of this home, or 30 minutes after the last note.
  func isVisiting(_ market: MarketKey, newest: Product.ID?) async
  /// Takes note that this program shows the market no more.
  func didLeave(_ market: MarketKey) async
}

/// A visit to a market that has ended.
package struct Visit: Hashable, Sendable {
  package var ended: Timestamp
  /// The newest product that there was, or up to which all were marked as seen; nil where none was
  /// seen.
  package var newest: Product.ID?

  package init(ended: Timestamp, newest: Product.ID?) {
    self.ended = ended
    self.newest = newest
  }
}
