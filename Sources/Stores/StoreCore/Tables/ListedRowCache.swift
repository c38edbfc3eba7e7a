import MarketModel
import SQLiteKit
import Synchronization

/// What the row of a product in lists depends on.
package struct RowState: Hashable, Sendable {
  /// The columns of a state, and the join that they need.
  package static let columns =
    "product.id, product.version, product.changed, seller.id, seller.name"
  package static let join = "JOIN seller ON seller.id = product.seller"

  package let id: Product.ID
  fileprivate let version: Int64
  fileprivate let changed: Timestamp
  fileprivate let seller: Seller

  /// Nil where the row has an invalid id.
  package init?(in row: StoredRow) {
    guard let id = row.productID(0), let seller = row.seller(id: 3, name: 4) else { return nil }
    (self.id, version, changed) = (id, row.count(1), row.timestamp(2))
    self.seller = seller
  }
}

/// Rows of lists that are kept while their products and sellers are unchanged, so that a page after a
/// write reads only what the write changed.
package final class ListedRowCache: Sendable {
  /// Maximum bytes of all rows; beyond it they are dropped.
  private static let limit = 8 << 20
  /// Maximum time for which rows are kept: a change by hand may leave the version as it was.
  private static let lifetime = Duration.seconds(20)

  private struct State {
    var rows: [Product.ID: ListedRow] = [:]
    var byteCount = 0
    var began = ContinuousClock.now

    mutating func clear() { self = State() }
  }

  private let state = Mutex(State())

  package init() {}

  /// The rows of products, in the order of their states, without missing ones; those that are not kept are
  /// read.
  func rows(of states: ArraySlice<RowState>, in database: any MarketDatabase) -> Reading<
    [ListedRow]
  > {
    let known = known(states)
    let missing = zip(states, known).compactMap { $1 == nil ? $0.id : nil }
    guard !missing.isEmpty else { return Reading(known.compactMap(\.self)) }
    return database.products.rows(missing).map { rows in
      var read: [Product.ID: ListedRow] = [:]
      for row in rows { read[row.product.id] = row }
      self.keep(read)
      return zip(states, known).compactMap { $1 ?? read[$0.id] }
    }
  }

  private func known(_ states: ArraySlice<RowState>) -> [ListedRow?] {
    state.withLock { kept in
      if ContinuousClock.now - kept.began > Self.lifetime { kept.clear() }
      return states.map { state in kept.rows[state.id].flatMap { $0.has(state) ? $0 : nil } }
    }
  }

  private func keep(_ rows: [Product.ID: ListedRow]) {
    // An edit of a product whose price is unreadable leaves its version.
    let rows = rows.filter { $0.value.product.pricing.price != nil }
    let bytes = rows.values.reduce(0) { $0 + $1.byteCount }
    state.withLock { kept in
      guard bytes <= Self.limit else { return }
      if kept.byteCount + bytes > Self.limit { kept.clear() }
      for (id, row) in rows {
        let previous = kept.rows.updateValue(row, forKey: id)
        kept.byteCount += row.byteCount - (previous?.byteCount ?? 0)
      }
    }
  }
}

extension ListedRow {
  fileprivate func has(_ state: RowState) -> Bool {
    version == state.version && product.changed == state.changed && product.seller == state.seller
  }
}
