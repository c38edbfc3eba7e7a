import MarketModel
import SQLiteKit
import StoreCore

/// Products that are still indexed with the folding of earlier versions.
///
/// Every call throws the `StoreError` of its statement.
struct LegacyFolding {
  /// Products in one step, at some 100 µs each.
  private static let batch = 200

  private let connection: SQLiteDatabase

  init(_ connection: SQLiteDatabase) {
    self.connection = connection
  }

  /// The id of the newest of them; 0 where there is none.
  var last: Int64 {
    get throws(StoreError) {
      try connection.integer("SELECT last FROM former_folding") ?? 0
    }
  }

  /// The share of products that are indexed with the current folding, 0 to 1; nil for all.
  var share: Double? {
    get throws(StoreError) {
      let last = try last
      return last > 0 ? try connection.indexedShare(without: last) : nil
    }
  }

  /// Indexes the newest of them with the current folding.
  /// - Throws: `.damaged` for a row with an invalid id; the statement's other `StoreError`s.
  func renew(
    atMost count: Int = batch, _ grams: ProductGrams
  ) throws(StoreError) -> IndexRenewal {
    let index = SearchIndex(connection)
    let ids = try connection.all(
      "SELECT id FROM product WHERE id <= ? ORDER BY id DESC LIMIT ?",
      [.integer(try last), .integer(Int64(count))]
    ) { row throws(StoreError) in try row.productID(0).orDamaged() }
    // FTS5 starts a segment wherever a rowid is lower than the one before.
    for id in ids.reversed() {
      guard let texts = try index.texts(of: id) else { continue }
      let (old, new) = (grams.former.tokens(of: texts), grams.tokens(of: texts))
      guard old != new else { continue }
      try index.remove(id, old)
      try index.add(id, new)
    }
    guard let lowest = ids.last?.rawValue, ids.count == count else {
      try connection.run("DELETE FROM former_folding")
      return .done
    }
    try connection.run("UPDATE former_folding SET last = ?", .integer(lowest - 1))
    return .renewed(below: lowest, share: try connection.indexedShare(without: lowest - 1))
  }
}
