import MarketModel
import StoreCore

extension PostgresConnection {
  /// Adds to the counts of blocks.
  ///
  /// It comes last in a transaction: the coarsest blocks are what all writers wait for.
  func add(_ changes: BlockChanges) throws(PostgresError) {
    try post(
      """
      INSERT INTO block (level, number, state_0, state_1, state_2, state_3, changes)
      SELECT level, number, state_0, state_1, state_2, state_3, 1
      FROM unnest($1, $2, $3, $4, $5, $6)
        AS change (level, number, state_0, state_1, state_2, state_3)
      ON CONFLICT (level, number) DO UPDATE SET state_0 = block.state_0 + excluded.state_0,
        state_1 = block.state_1 + excluded.state_1, state_2 = block.state_2 + excluded.state_2,
        state_3 = block.state_3 + excluded.state_3, changes = block.changes + 1
      """, changes.columns)
  }

  /// A number that is another one after any change of a product.
  func version() throws(PostgresError) -> Int64 {
    let row = try run(
      "SELECT sum(changes)::bigint FROM block WHERE level = $1", [.integer(ProductBlocks.topLevel)]
    ).first
    return row?.integer(0) ?? 0
  }

  /// Finds the place of a product by how many newer ones, of the states that count, are before it:
  /// the beginning of its block, and how many of that block to pass over; nil past the end.
  func place(
    passing offset: Int, in states: [Int]
  ) throws(PostgresError) -> (after: OrderKey, passing: Int)? {
    try ProductBlocks.place(passing: offset) { level, numbers throws(PostgresError) in
      try run(
        """
        SELECT number, \(ProductBlocks.sum(of: states)) FROM block
        WHERE level = $1 AND number BETWEEN $2 AND $3 ORDER BY number DESC
        """,
        [.integer(level), .integer(numbers.lowerBound), .integer(numbers.upperBound)]
      ).map { row in (number: row.integer(0), count: row.count(1)) }
    }
  }
}
