import MarketModel
import SQLiteKit
import StoreCore

/// Counts of products by blocks of ids, by which totals and positions are found without reading all
/// products.
///
/// Every call throws the `StoreError` of its statement.
struct BlockCounts {
  private let connection: SQLiteDatabase

  init(_ connection: SQLiteDatabase) {
    self.connection = connection
  }

  /// Adds changes to the counts of blocks.
  func add(_ changes: BlockChanges) throws(StoreError) {
    try connection.post(
      """
      INSERT INTO block (level, number, state_0, state_1, state_2, state_3)
      VALUES ($1, $2, $3, $4, $5, $6)
      ON CONFLICT DO UPDATE SET state_0 = state_0 + excluded.state_0,
        state_1 = state_1 + excluded.state_1, state_2 = state_2 + excluded.state_2,
        state_3 = state_3 + excluded.state_3
      """, rows: changes.rows)
  }

  /// The number of products in some states.
  func total(of states: [Int]) throws(StoreError) -> Int {
    let total = try connection.integer(
      // total() never overflows, as sum() may in a forged file.
      "SELECT total(\(ProductBlocks.sum(of: states))) FROM block WHERE level = ?",
      .integer(ProductBlocks.topLevel))
    return Int(total.map(StoredNumbers.count) ?? 0)
  }

  /// Finds the position of a product by the number of newer ones of some states before it: the start of
  /// its block, and the number of products to skip in it; nil past the end.
  func place(
    passing offset: Int, in states: [Int]
  ) throws(StoreError) -> (after: OrderKey, passing: Int)? {
    try ProductBlocks.place(passing: offset) { level, numbers throws(StoreError) in
      try connection.all(
        """
        SELECT number, \(ProductBlocks.sum(of: states)) FROM block
        WHERE level = ? AND number BETWEEN ? AND ? ORDER BY number DESC
        """,
        [.integer(level), .integer(numbers.lowerBound), .integer(numbers.upperBound)]
      ) { row in (number: row.integer(0), count: row.count(1)) }
    }
  }
}
