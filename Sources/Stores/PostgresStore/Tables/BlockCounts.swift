import MarketModel
import StoreCore

/// Counts of products by blocks of ids, so that totals and places are known without going through
/// them.
struct BlockCounts {
  private let connection: PostgresConnection

  init(_ connection: PostgresConnection) {
    self.connection = connection
  }

  /// Adds to the counts of blocks.
  ///
  /// It comes last in a transaction: the coarsest blocks are what all writers wait for.
  func add(_ changes: BlockChanges) throws(PostgresError) {
    try connection.post(
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
    let row = try connection.run(
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
      try connection.run(
        """
        SELECT number, \(ProductBlocks.sum(of: states)) FROM block
        WHERE level = $1 AND number BETWEEN $2 AND $3 ORDER BY number DESC
        """,
        [.integer(level), .integer(numbers.lowerBound), .integer(numbers.upperBound)]
      ).map { row in (number: row.integer(0), count: row.count(1)) }
    }
  }
}

/// Changes of the counts of blocks.
struct BlockChanges {
  private struct Block: Hashable, Comparable {
    let level: Int64
    let number: Int64

    static func < (left: Block, right: Block) -> Bool {
      (left.level, left.number) < (right.level, right.number)
    }
  }

  private var counts: [Block: [Int64]] = [:]

  init() {}

  /// Takes the changes of one product.
  init(of id: Product.ID, _ changes: [(state: Int, by: Int64)]) {
    for change in changes { count(id.rawValue, in: change.state, by: change.by) }
  }

  /// Counts a product in (`+1`) or out (`-1`) of the blocks of its id.
  mutating func count(_ id: Int64, in state: Int, by change: Int64 = 1) {
    for (level, shift) in ProductBlocks.shifts.enumerated() {
      let block = Block(level: Int64(level), number: id >> shift)
      counts[block, default: [0, 0, 0, 0]][state] += change
    }
  }

  /// Level, number and the four counts of each block, column by column; always in one order, so
  /// that no two transactions wait for each other.
  var columns: [PostgresValue] {
    let blocks = counts.sorted { $0.key < $1.key }
    return [.integers(blocks.map(\.key.level)), .integers(blocks.map(\.key.number))]
      + (0...3).map { state in .integers(blocks.map { $0.value[state] }) }
  }
}
