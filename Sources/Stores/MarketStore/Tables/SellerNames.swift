import MarketModel
import SQLiteKit
import StoreCore

/// Names of sellers by which their products are indexed.
///
/// Every call throws the `StoreError` of its statement.
struct SellerNames {
  /// Products in one step, at some 50 µs each.
  private static let batch = 200

  private let database: SQLiteDatabase

  init(_ database: SQLiteDatabase) {
    self.database = database
  }

  /// Renames a seller, and indexes its newest products by the new name.
  func rename(
    _ seller: Seller, to name: String, atOnce count: Int = SellerRenameBackfill.productsAtOnce,
    _ grams: ProductGrams
  ) throws(StoreError) {
    let id = seller.id.rawValue
    // As it is stored, uncut.
    let previous = try self.name(of: id) ?? seller.name
    _ = try renewNewest(count, of: id, upTo: .max, from: previous, to: name, grams)
    try database.sellers.setName(of: seller, to: name)
  }

  /// Indexes some products by the current name of their seller.
  func renew(
    atMost count: Int = batch, _ grams: ProductGrams
  ) throws(StoreError) -> SellerRenameBackfill {
    guard let (seller, last) = try PreviousSellerNames(database).next() else { return .done }
    var isLast = true
    if let name = try name(of: seller) {
      isLast = try renewNewest(count, of: seller, upTo: last, from: name, to: name, grams)
    } else {
      try PreviousSellerNames(database).forget(seller)
    }
    return .renewed(Seller.ID(rawValue: seller), isLast: isLast)
  }

  private func name(of seller: Int64) throws(StoreError) -> String? {
    try database.first("SELECT name FROM seller WHERE id = $1", [.integer(seller)]) { row in
      row.text(0, atMost: ProductTexts.bytes)
    }
  }

  /// Indexes the newest products up to an id by a name, and records that the others have the previous one;
  /// true where there are no others.
  private func renewNewest(
    _ count: Int, of seller: Int64, upTo last: Int64, from previous: String, to name: String,
    _ grams: ProductGrams
  ) throws(StoreError) -> Bool {
    let index = SearchIndex(database)
    let ids = try database.all(
      """
      SELECT id FROM product INDEXED BY product_of_seller WHERE seller = $1 AND newness >= $2
      ORDER BY newness LIMIT $3
      """, [.integer(seller), .integer(0 &- last), .integer(Int64(count))]
    ) { row throws(StoreError) in try row.productID(0).orDamaged() }
    for id in ids {
      guard let old = try index.texts(of: id), old.sellerName != name else { continue }
      var new = old
      new.sellerName = name
      try index.change(id, from: old, to: new, grams)
    }
    guard let lowest = ids.last, ids.count == count else {
      try PreviousSellerNames(database).forget(seller)
      return true
    }
    try PreviousSellerNames(database).keep(upTo: lowest.rawValue - 1, of: seller, as: previous)
    return false
  }
}
