import MarketModel
import SQLiteKit
import StoreCore

/// Counts of products by blocks of ids, by which totals and positions are found without reading all
/// products.
extension SQLiteDatabase {
  package func count(_ changes: BlockChanges) throws(StoreError) {
    try post(
      """
      INSERT INTO block (level, number, state_0, state_1, state_2, state_3)
      VALUES ($1, $2, $3, $4, $5, $6)
      ON CONFLICT DO UPDATE SET state_0 = state_0 + excluded.state_0,
        state_1 = state_1 + excluded.state_1, state_2 = state_2 + excluded.state_2,
        state_3 = state_3 + excluded.state_3
      """, rows: changes.rows)
  }

  package func total(of states: [Int]) -> Reading<Int> {
    Reading(
      // total() never overflows, as sum() may in a forged file.
      first: "SELECT total(\(ProductBlocks.sum(of: states))) FROM block WHERE level = $1",
      [.integer(ProductBlocks.topLevel)]
    ) { Int($0.count(0)) }.map { $0 ?? 0 }
  }

  package func position(
    atOffset offset: Int, in states: [Int]
  ) throws(StoreError) -> (after: OrderKey, offset: Int)? {
    try ProductBlocks.position(atOffset: offset) { level, numbers throws(StoreError) in
      try all(
        """
        SELECT number, \(ProductBlocks.sum(of: states)) FROM block
        WHERE level = ? AND number BETWEEN ? AND ? ORDER BY number DESC
        """,
        [.integer(level), .integer(numbers.lowerBound), .integer(numbers.upperBound)]
      ) { row in (number: row.integer(0), count: row.count(1)) }
    }
  }
}
