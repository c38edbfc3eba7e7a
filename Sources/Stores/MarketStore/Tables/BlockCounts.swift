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

  /// Adds `change` to the counts of a product's blocks: 1 for a new one, -1 for a deleted one.
  func count(_ id: Int64, state: Int, by change: Int64) throws(StoreError) {
    for (level, shift) in ProductBlocks.shifts.enumerated() {
      try count(level: level, number: id >> shift, state: state, by: change)
    }
  }

  /// Adds `change` to the count of one block.
  func count(level: Int, number: Int64, state: Int, by change: Int64) throws(StoreError) {
    try connection.run(
      """
      INSERT INTO block (level, number, state_\(state)) VALUES (?1, ?2, ?3)
      ON CONFLICT DO UPDATE SET state_\(state) = state_\(state) + ?3
      """, .integer(Int64(level)), .integer(number), .integer(change))
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
