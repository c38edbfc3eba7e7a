/// The port to the markets that a person knows by the ids that they gave themselves.
///
/// An id is a stranger's word: it leads to a question, and to nothing else.
package protocol KnownMarketStore: Sendable {
  /// Takes note that a market said its id, and answers where the person knows a market of that id from.
  ///
  /// Nil where something of this market is kept already, where nothing is kept of the other one, and
  /// where the person has declined.
  @discardableResult
  func didIdentify(_ id: MarketID, at market: MarketKey) async -> FavoriteMarket?
  /// Moves all that is kept of a market to the place where it is now; false where that failed, and
  /// nothing has changed.
  func move(from old: MarketKey, to market: FavoriteMarket) async -> Bool
  /// What an earlier version kept of a market and of others under one key, where nobody has said yet
  /// to which it belongs; `move` takes it there.
  func legacySharedData(of market: MarketKey) async -> LegacySharedData?
  /// Takes note that a market is not to be asked about any more, whatever id it says.
  func decline(at market: MarketKey) async
}

/// What an earlier version kept under one key of a market and of others.
package struct LegacySharedData: Hashable, Sendable {
  /// Its key then.
  package let former: MarketKey
  /// The others, the one that was used first at the beginning; at least one.
  package let others: [MarketKey]

  package init(former: MarketKey, others: [MarketKey]) {
    self.former = former
    self.others = others
  }
}
