import MarketModel
import Synchronization

/// A log of changes in memory, whose places count the changes.
package final class InMemoryChangeLog: ChangeLog {
  private struct State {
    var changes: [MarketChange] = []
    /// Changes that are too old to be told.
    var forgotten = 0
    var failure: RepositoryError?
    var readings = 0
  }

  private let tellsVersion: Bool
  private let state = Mutex(State())

  /// - Parameter tellsVersion: whether the market has a version that is read in microseconds.
  package init(tellsVersion: Bool = true) {
    self.tellsVersion = tellsVersion
  }

  /// How often the log was asked.
  package var readings: Int { state.withLock { $0.readings } }

  package var cursor: ChangeCursor {
    state.withLock { ChangeCursor(rawValue: "p\($0.changes.count)") }
  }

  package func append(_ changes: some Sequence<MarketChange>) {
    state.withLock { $0.changes += changes }
  }

  /// Appends changes of products with these numbers.
  package func append(products ids: some Sequence<Int64>) {
    append(ids.map { MarketChange.sample($0) })
  }

  /// Forgets all changes but the last ones.
  package func forget(allBut count: Int) {
    state.withLock { $0.forgotten = max(0, $0.changes.count - count) }
  }

  /// From now on the log cannot be read, or can again.
  package func fail(with error: RepositoryError?) { state.withLock { $0.failure = error } }

  package func changes(
    after cursor: ChangeCursor?, atMost limit: Int
  ) async throws(RepositoryError) -> ChangeBatch {
    let outcome = state.withLock { state -> Result<ChangeBatch, RepositoryError> in
      state.readings += 1
      if let failure = state.failure { return .failure(failure) }
      let end = ChangeCursor(rawValue: "p\(state.changes.count)")
      guard let cursor else { return .success(ChangeBatch(changes: [], cursor: end)) }
      guard cursor.rawValue.hasPrefix("p"), let start = Int(cursor.rawValue.dropFirst()),
        (state.forgotten...state.changes.count).contains(start)
      else { return .success(ChangeBatch(changes: [], cursor: end, isReset: true)) }
      let news = Array(state.changes[start...].prefix(limit))
      return .success(
        ChangeBatch(changes: news, cursor: ChangeCursor(rawValue: "p\(start + news.count)")))
    }
    return try outcome.get()
  }

  package func dataVersion() -> Int64? {
    tellsVersion ? state.withLock { Int64($0.changes.count) } : nil
  }
}

extension MarketChange {
  /// Change of a product; nil for one of a seller.
  package var product: ProductChange? {
    if case .product(let change) = self { change } else { nil }
  }

  /// A change of the product with a number.
  package static func sample(
    _ id: Int64, _ kind: ProductChange.Kind = .changed
  ) -> MarketChange {
    .product(
      ProductChange(
        id: Product.ID(rawValue: id), kind: kind,
        version: kind == .deleted ? nil : ProductVersion(rawValue: "v\(id)"),
        seller: Seller.ID(rawValue: 7)))
  }
}
