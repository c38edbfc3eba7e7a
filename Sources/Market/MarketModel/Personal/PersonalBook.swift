/// The port to what a person keeps: one private file of this home, shared by all running programs.
///
/// What cannot be read is empty, and what cannot be kept is said by the answer: nothing here keeps the
/// program from starting.
package protocol PersonalBook: Sendable {
  /// What was asked before, the latest first, each text once.
  func pastSearches(atMost limit: Int) async -> [String]
  /// Keeps what was asked just now.
  func didSearch(for text: String) async

  /// The searches that have a name, by their names.
  func savedSearches() async -> [SavedSearch]
  /// Keeps a search in the place of one of the same name; false where that failed.
  func save(_ search: SavedSearch) async -> Bool
  func forgetSearch(named name: String) async

  /// The last visit to a market that has ended; nil where there was none.
  func lastVisit(to market: MarketKey) async -> Visit?
  /// Takes note that a person looks at a market: the visit begins with the first such note, and ends
  /// with the last program of this home, or 30 minutes after the last note.
  func isVisiting(_ market: MarketKey, newest: Product.ID?) async
  /// Takes note that this program shows the market no more.
  func didLeave(_ market: MarketKey) async

  /// Which of some products were looked at, and when last.
  func seen(_ products: [Product.ID], in market: MarketKey) async -> [Product.ID: Timestamp]
  func didSee(_ product: Product.ID, in market: MarketKey) async
}

/// A search with a name, as the search line says it.
package struct SavedSearch: Hashable, Sendable {
  package var name: String
  package var text: String

  package init(name: String, text: String) {
    self.name = name
    self.text = text
  }
}

/// A visit to a market that has ended.
package struct Visit: Hashable, Sendable {
  package var ended: Timestamp
  /// The newest product that there was; nil where none was seen.
  package var newest: Product.ID?

  package init(ended: Timestamp, newest: Product.ID?) {
    self.ended = ended
    self.newest = newest
  }
}
