import MarketModel
import MarketViewModels

/// What a person keeps, in memory.
package actor FakePersonalBook: PersonalBook {
  private var past: [String]
  private var saved: [SavedSearch]
  private let isFull: Bool

  /// - Parameters:
  ///   - past: what was asked before, the latest first.
  ///   - saved: the searches with a name.
  ///   - isFull: whether nothing more can be kept.
  package init(past: [String] = [], saved: [SavedSearch] = [], isFull: Bool = false) {
    self.past = past
    self.saved = saved
    self.isFull = isFull
  }

  package func pastSearches(atMost limit: Int) -> [String] { Array(past.prefix(limit)) }

  package func didSearch(for text: String) {
    past.removeAll { $0 == text }
    past.insert(text, at: 0)
  }

  package func savedSearches() -> [SavedSearch] { saved.sorted { $0.name < $1.name } }

  package func save(_ search: SavedSearch) -> Bool {
    guard !isFull else { return false }
    saved.removeAll { $0.name == search.name }
    saved.append(search)
    return true
  }

  package func forgetSearch(named name: String) { saved.removeAll { $0.name == name } }

  package func lastVisit(to market: MarketKey) -> Visit? { nil }
  package func isVisiting(_ market: MarketKey, newest: Product.ID?) {}
  package func didLeave(_ market: MarketKey) {}
  package func seen(
    _ products: [Product.ID], in market: MarketKey
  ) -> [Product.ID: Timestamp] { [:] }
  package func didSee(_ product: Product.ID, in market: MarketKey) {}
}
