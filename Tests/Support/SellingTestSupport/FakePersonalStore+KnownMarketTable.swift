import MarketModel

/// Markets by their ids, as a test knows them.
package struct FakeKnownMarkets: Sendable {
  /// From where a market of an id is known.
  package var former: [MarketID: FavoriteMarket] = [:]
  /// What earlier versions kept of markets and others as one.
  package var shared: [MarketKey: LegacySharedData] = [:]
  package internal(set) var met: [String] = []
  package internal(set) var moved: [String] = []
  package internal(set) var declined: [MarketKey] = []
}

extension FakePersonalStore {
  /// Has a market of an id be known from elsewhere.
  package func know(_ id: MarketID, from market: FavoriteMarket) {
    acquaintances.former[id] = market
  }

  /// Has an earlier version have kept a market and another one as one.
  package func share(_ past: LegacySharedData, of market: MarketKey) {
    acquaintances.shared[market] = past
  }

  package func legacySharedData(of market: MarketKey) -> LegacySharedData? {
    acquaintances.shared[market]
  }

  /// Has nothing more be kept.
  package func fill() { isFull = true }

  package func didIdentify(_ id: MarketID, at market: MarketKey) -> FavoriteMarket? {
    acquaintances.met.append("\(market.rawValue) \(id.text)")
    return acquaintances.former[id]
  }

  package func move(from old: MarketKey, to market: FavoriteMarket) -> Bool {
    guard !isFull else { return false }
    acquaintances.moved.append("\(old.rawValue) to \(market.key.rawValue)")
    return true
  }

  package func decline(at market: MarketKey) { acquaintances.declined.append(market) }
}
