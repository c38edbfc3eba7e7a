import Synchronization

/// A market that brings its search index up to date while it is in use.
package protocol IndexedMarket: Sendable {
  var indexing: IndexingProgress { get }
}

/// Share of a market's products that are in its search index by the folding of today.
package final class IndexingProgress: Sendable {
  private let share = Mutex<Double?>(nil)

  package init() {}

  /// From 0 to 1; nil where all are, or nobody is at it.
  package var present: Double? { share.withLock { $0 } }

  package func set(to share: Double?) { self.share.withLock { $0 = share } }
}
