/// The port to what a person searched for.
package protocol SearchHistoryStore: Sendable {
  /// What was asked before, the latest first, each text once.
  func pastSearches(atMost limit: Int) async -> [String]
  /// Keeps what was asked just now.
  func didSearch(for text: String) async

  /// The searches that have a name, by their names.
  func savedSearches() async -> [SavedSearch]
  /// Keeps a search in the place of one of the same name; false where that failed.
  func save(_ search: SavedSearch) async -> Bool
  func forgetSearch(named name: String) async
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
