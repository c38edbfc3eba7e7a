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
