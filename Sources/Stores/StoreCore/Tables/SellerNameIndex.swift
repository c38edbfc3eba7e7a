import MarketModel
import SQLiteKit

/// Writer of the names of sellers, by which the search index finds their products.
///
/// - Throws: every call throws the `StoreError` of its statement.
package struct SellerNameIndex {
  /// Number of the seller's newest products that are indexed before a rename is answered.
  package static let productsAtOnce = 50

  /// Locks the products before their texts are read, so that a concurrent edit neither writes the previous
  /// name afterwards nor is lost.
  private static let newest = DialectSQL { sql in
    """
    SELECT id FROM product\(sql.indexed(by: "product_of_seller"))
    WHERE seller = $1 AND newness >= $2 ORDER BY newness LIMIT $3\(sql.locking("FOR NO KEY UPDATE"))
    """
  }

  private let database: any MarketDatabase
  private let tokenizer: SearchTokenizer

  package init(_ database: any MarketDatabase, _ tokenizer: SearchTokenizer) {
    self.database = database
    self.tokenizer = tokenizer
  }

  /// Renames a seller, and indexes its newest products by the new name; `renew(atMost:)` indexes the others.
  ///
  /// The seller is locked first, so that no product is registered under the old name meanwhile.
  package func rename(
    _ seller: Seller, to name: String, atOnce count: Int = productsAtOnce
  ) throws(StoreError) {
    try database.setName(of: seller, to: name)
    _ = try renewNewest(count, of: seller.id, upTo: .max)
  }

  /// Indexes some products by the current name of their seller.
  package func renew(atMost count: Int? = nil) throws(StoreError) -> IndexRenewal {
    guard let (seller, last) = try database.nextRenamed() else {
      return try database.hasPreviousNames() ? .elsewhere : .done
    }
    // Some 50 µs each in a file.
    let count = count ?? (database.dialect == .sqlite ? 200 : 500)
    // Caches of searches by the old name are invalidated.
    if try renewNewest(count, of: seller, upTo: last) { try database.log(renamed: seller) }
    return .renewed(share: nil)
  }

  /// Indexes the newest products up to an id by their seller's name, and records which others have a
  /// previous one; true where none have.
  private func renewNewest(
    _ count: Int, of seller: Seller.ID, upTo last: Int64
  ) throws(StoreError) -> Bool {
    let ids = try database.all(
      Self.newest[database.dialect],
      [.integer(seller.rawValue), .integer(0 &- last), .integer(Int64(count))]
    ) { row throws(StoreError) in try row.productID(0).orDamaged() }
    if !ids.isEmpty { try database.indexName(of: seller, in: ids, tokenizer) }
    let next = ids.count == count ? ids.last.map { $0.rawValue - 1 } : nil
    try database.recordPreviousNames(of: seller, upTo: next)
    return next == nil
  }
}
