internal import MarketModel

/// New products that a reload would add to the list.
package struct PendingNewProducts: Hashable, Sendable {
  private(set) var ids: Set<Product.ID> = []
  /// Whether there are more than `most`.
  package private(set) var hasMore = false
  /// Whether the market cannot say which listed products match the list's query.
  package private(set) var isGuess = false

  /// Maximum number that is counted; beyond it `hasMore` is set.
  package static let most = 99

  package var count: Int { ids.count }
  package var isEmpty: Bool { ids.isEmpty && !hasMore && !isGuess }

  mutating func insert(_ id: Product.ID) {
    if ids.count < Self.most { ids.insert(id) } else if !ids.contains(id) { hasMore = true }
  }

  mutating func insertUncounted() { hasMore = true }

  mutating func guess() { isGuess = true }

  mutating func remove(_ id: Product.ID) { ids.remove(id) }

  /// Removes what an earlier state contains.
  mutating func subtract(_ earlier: PendingNewProducts) {
    ids.subtract(earlier.ids)
    if earlier.hasMore { hasMore = false }
    if earlier.isGuess { isGuess = false }
  }

  mutating func keep(where isNew: (Product.ID) -> Bool) { ids = ids.filter(isNew) }
}
