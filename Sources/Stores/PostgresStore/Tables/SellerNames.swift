import MarketModel
import SQLiteKit
import StoreCore

/// Names of sellers by which their products are indexed.
///
/// Every call throws the `StoreError` of its statement.
struct SellerNames {
  /// Products in one step.
  private static let batch = 500
  /// Locks the products from the newest on before their texts are read, so that a concurrent edit neither
  /// writes the previous name afterwards nor is lost.
  private static let newest: SQL = """
    SELECT id FROM product WHERE seller = $1 AND newness > $2 ORDER BY newness LIMIT $3
    FOR NO KEY UPDATE
    """

  private let connection: PostgresConnection

  init(_ connection: PostgresConnection) {
    self.connection = connection
  }

  /// Renames a seller, and indexes its newest products by the new name.
  ///
  /// The seller is locked first, so that no product is registered under the old name meanwhile.
  func rename(
    _ seller: Seller, to name: String, _ tokenizer: SearchTokenizer
  ) throws(StoreError) {
    try connection.sellers.setName(of: seller, to: name)
    try connection.post(
      """
      INSERT INTO seller_renaming (seller, below) VALUES ($1, $2)
      ON CONFLICT (seller) DO UPDATE SET below = excluded.below
      """, [.integer(seller.id.rawValue), .integer(Int64.max)])
    _ = try renewNewest(
      SellerRenameBackfill.productsAtOnce, of: seller.id.rawValue, below: .max, tokenizer)
  }

  /// Indexes some products by the current name of their seller.
  func renew(
    atMost count: Int = batch, _ tokenizer: SearchTokenizer
  ) throws(StoreError) -> SellerRenameBackfill {
    let row = try connection.run(
      "SELECT seller, below FROM seller_renaming ORDER BY seller LIMIT 1 FOR UPDATE SKIP LOCKED"
    ).first
    guard let row else { return try areLeft() ? .elsewhere : .done }
    let isLast = try renewNewest(
      count, of: row.integer(0), below: row.integer(1), tokenizer)
    return .renewed(Seller.ID(rawValue: row.integer(0)), isLast: isLast)
  }

  /// Whether products of a renamed seller are left to be indexed.
  func areLeft() throws(StoreError) -> Bool {
    try connection.run("SELECT 1 FROM seller_renaming LIMIT 1").first != nil
  }

  /// Indexes the newest products below an id by their seller's name, and records the rest in a row that
  /// the caller has locked; true where there is no rest.
  private func renewNewest(
    _ count: Int, of seller: Int64, below last: Int64, _ tokenizer: SearchTokenizer
  ) throws(StoreError) -> Bool {
    let ids = try connection.run(
      Self.newest, [.integer(seller), .integer(0 &- last), .integer(Int64(count))]
    ).map { $0.integer(0) }
    if !ids.isEmpty { try SearchIndexRenewal(connection, tokenizer).index(ids) }
    guard let lowest = ids.last, ids.count == count else {
      try connection.post("DELETE FROM seller_renaming WHERE seller = $1", [.integer(seller)])
      return true
    }
    try connection.post(
      "UPDATE seller_renaming SET below = $1 WHERE seller = $2",
      [.integer(lowest), .integer(seller)])
    return false
  }
}
