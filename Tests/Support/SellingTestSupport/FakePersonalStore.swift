import MarketModel
import MarketViewModels

/// What a person keeps, in memory; it remembers what it was told of visits.
package actor FakePersonalStore: PersonalDataStore {
  package private(set) var visits: [String] = []
  var favorites = FakeFavorites()
  var seeing: FakeSeenProducts
  private var last: [MarketKey: Visit]
  private var past: [String]
  private var saved: [SavedSearch]
  var isFull: Bool
  package var acquaintances = FakeKnownMarkets()
  /// What is waited for.
  package internal(set) var waiting = FakeAlerts()

  /// - Parameters:
  ///   - past: what was asked before, the latest first.
  ///   - saved: the searches with a name.
  ///   - last: the visits that have ended.
  ///   - seenProducts: what was seen before.
  ///   - prices: at which prices.
  ///   - isFull: whether nothing more can be kept.
  package init(
    past: [String] = [], saved: [SavedSearch] = [], last: [MarketKey: Visit] = [:],
    seenProducts: [Product.ID: SeenRecord] = [:], prices: [Product.ID: [PricePoint]] = [:],
    isFull: Bool = false
  ) {
    self.last = last
    seeing = FakeSeenProducts(seenProducts, prices: prices)
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

  /// Another visit to the local market has ended, or the last one counts otherwise by now, and these
  /// products were seen.
  package func end(_ visit: Visit, having seenProducts: [Product.ID: SeenRecord] = [:]) {
    last[.local] = visit
    seeing.add(seenProducts)
  }

  package func isVisiting(_ market: MarketKey, newest: Product.ID?) {
    visits.append("\(market.rawValue) \(newest.map { String($0.rawValue) } ?? "-")")
  }

  package func didLeave(_ market: MarketKey) { visits.append("left \(market.rawValue)") }
}
