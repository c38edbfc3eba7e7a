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
