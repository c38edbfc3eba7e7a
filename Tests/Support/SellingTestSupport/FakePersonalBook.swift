import MarketModel
import MarketViewModels

/// What a person keeps, in memory; it remembers what it was told of visits.
package actor FakePersonalBook: PersonalBook {
  package private(set) var visits: [String] = []
  /// What was looked at, in that order.
  package private(set) var seen: [Product.ID] = []
  private let last: [MarketKey: Visit]
  private var past: [String]
  private var saved: [SavedSearch]
  private let isFull: Bool

  /// - Parameters:
  ///   - past: what was asked before, the latest first.
  ///   - saved: the searches with a name.
  ///   - last: the visits that have ended.
  ///   - isFull: whether nothing more can be kept.
  package init(
    past: [String] = [], saved: [SavedSearch] = [], last: [MarketKey: Visit] = [:],
    isFull: Bool = false
  ) {
    self.last = last
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

  package func lastVisit(to market: MarketKey) -> Visit? { last[market] }

  package func isVisiting(_ market: MarketKey, newest: Product.ID?) {
    visits.append("\(market.rawValue) \(newest.map { String($0.rawValue) } ?? "-")")
  }

  package func didLeave(_ market: MarketKey) { visits.append("left \(market.rawValue)") }
  package func seen(
    _ products: [Product.ID], in market: MarketKey
  ) -> [Product.ID: Timestamp] { [:] }
  package func didSee(_ product: Product.ID, in market: MarketKey) {
    seen.append(product)
  }
}
