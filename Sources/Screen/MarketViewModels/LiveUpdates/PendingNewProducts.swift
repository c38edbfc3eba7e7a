internal import MarketModel

/// Products that a list would have if it were read again, as far as they are counted.
package struct PendingNewProducts: Hashable, Sendable {
  private(set) var ids: Set<Product.ID> = []
  /// Whether there are more than are counted.
  package private(set) var hasMore = false
  /// Whether the market cannot say which of what was listed belongs to the list.
  package private(set) var isGuess = false

  /// So many are counted.
  package static let most = 99

  package var count: Int { ids.count }
  package var isEmpty: Bool { ids.isEmpty && !hasMore && !isGuess }

  mutating func insert(_ id: Product.ID) {
    if ids.count < Self.most { ids.insert(id) } else if !ids.contains(id) { hasMore = true }
  }

  mutating func insertUncounted() { hasMore = true }

  mutating func guess() { isGuess = true }

  mutating func remove(_ id: Product.ID) { ids.remove(id) }

  /// What came after an earlier state of it.
  mutating func subtract(_ earlier: PendingNewProducts) {
    ids.subtract(earlier.ids)
    if earlier.hasMore { hasMore = false }
    if earlier.isGuess { isGuess = false }
  }

  mutating func keep(where isNew: (Product.ID) -> Bool) { ids = ids.filter(isNew) }
}
