import MarketModel
import SQLiteKit
import StoreCore

/// Counts of products by blocks of ids, by which totals and positions are found without reading all
/// products.
///
/// A block's count is its row plus the pending changes. A statement that reads both is consistent with
/// its own snapshot.
/// - Throws: every call throws the `StoreError` of its statement.
extension PostgresConnection {
  private static let columns = "state_0, state_1, state_2, state_3"
  /// Adds changes to the counts of blocks, one row for each block.
  private static let addition = """
    ON CONFLICT (level, number) DO UPDATE SET state_0 = block.state_0 + excluded.state_0,
      state_1 = block.state_1 + excluded.state_1, state_2 = block.state_2 + excluded.state_2,
      state_3 = block.state_3 + excluded.state_3, changes = block.changes + excluded.changes
    """
  /// The changes that are not in the blocks yet.
  ///
  /// The upper bound makes the planner expect a small range of the table.
  private static let pending = """
    SELECT product, state_before, state_after FROM block_change
    WHERE transaction BETWEEN (SELECT before FROM block_settled WHERE id = 1) AND \(Int64.max)
    """
  private static let lock = """
    turn AS MATERIALIZED (
      SELECT pg_try_advisory_xact_lock(hashtext(current_schema() || '.block')) AS taken)
    """

  package func total(of states: [Int]) -> Reading<Int> {
    Reading(first: Self.counting(states), [.integer(ProductBlocks.topLevel)]) { Int($0.count(0)) }
      .map { $0 ?? 0 }
  }

  /// SQL for the number of all products of some states.
  static func counting(_ states: [Int]) -> SQL {
    SQL(
      """
      SELECT (SELECT coalesce(sum(\(ProductBlocks.sum(of: states))), 0) FROM block WHERE level = $1)::bigint
        + (SELECT coalesce(sum(\(change(of: states))), 0) FROM (\(pending)) AS pending)::bigint
      """)
  }

  /// SQL expression of the change that a pending row makes to the number of products in some states.
  private static func change(of states: [Int]) -> String {
    let list = states.map(String.init).joined(separator: ", ")
    return """
      CASE WHEN state_after IN (\(list)) THEN 1 ELSE 0 END \
      - CASE WHEN state_before IN (\(list)) THEN 1 ELSE 0 END
      """
  }

  package func countProduct(
    _ id: Product.ID, from before: Int?, to after: Int?
  ) throws(StoreError) {
    guard numbersTransactions else {
      return try count(BlockChanges(of: id, from: before, to: after))
    }
    try post(
      """
      INSERT INTO block_change (transaction, product, state_before, state_after)
      VALUES (pg_current_xact_id()::text::bigint, $1, $2, $3)
      """,
      [.integer(id.rawValue), .integer(before.map(Int64.init)), .integer(after.map(Int64.init))])
  }

  package func count(_ changes: BlockChanges) throws(StoreError) {
    try post(
      """
      INSERT INTO block (level, number, \(Self.columns), changes)
      SELECT level, number, \(Self.columns), 1 FROM unnest($1, $2, $3, $4, $5, $6)
        AS change (level, number, \(Self.columns))
      \(Self.addition)
      """, rows: changes.rows)
  }

  /// Adds all visible pending changes to the blocks, unless another server is doing so.
  ///
  /// It is a transaction of its own. `all` means that the tables may have been copied from another
  /// database, whose transaction ids do not tell which changes are in the blocks.
  func mergePendingCounts(all: Bool = false) throws(StoreError) {
    guard numbersTransactions else { return }
    // Rows that another server has moved meanwhile are gone. All transactions below the oldest open one
    // are decided, so their changes are moved by this statement or were before.
    let oldest = "pg_snapshot_xmin(pg_current_snapshot())::text::bigint"
    let states = (0...3).map { "sum(\(Self.change(of: [$0])))::bigint" }.joined(separator: ", ")
    let levels = ProductBlocks.shifts.enumerated().map { "(\($0), \($1))" }.joined(separator: ", ")
    try run(
      """
      WITH \(Self.lock),
      moved AS (
        DELETE FROM block_change WHERE (SELECT taken FROM turn)
          AND transaction BETWEEN \(all ? "0" : "(SELECT before FROM block_settled WHERE id = 1)")
            AND \(Int64.max)
        RETURNING product, state_before, state_after),
      settled AS (
        UPDATE block_settled SET before = \(all ? oldest : "greatest(before, \(oldest))")
        WHERE \(all ? "(SELECT taken FROM turn)" : "EXISTS (SELECT 1 FROM moved)"))
      INSERT INTO block (level, number, \(Self.columns), changes)
      SELECT level, product >> shift, \(states), count(*)
      FROM moved CROSS JOIN (VALUES \(levels)) AS level (level, shift)
      GROUP BY level, product >> shift ORDER BY level, product >> shift
      \(Self.addition)
      """)
  }

  package func productsVersion() throws(StoreError) -> Int64? {
    let row = try run(
      """
      SELECT (SELECT coalesce(sum(changes), 0) FROM block WHERE level = $1)::bigint
        + (SELECT count(*) FROM (\(Self.pending)) AS pending)
      """, [.integer(ProductBlocks.topLevel)]
    ).first
    return row?.integer(0) ?? 0
  }

  package func position(
    atOffset offset: Int, in states: [Int]
  ) throws(StoreError) -> (after: OrderKey, offset: Int)? {
    try run(SQL(Self.positionQuery(in: states)), [.integer(Int64(offset))]).first.map { row in
      let bits = ProductBlocks.shifts[0]
      return (OrderKey(newestBelow: (row.integer(0) + 1) << bits), Int(row.count(1)))
    }
  }

  /// The query that descends from the coarsest blocks to the finest: the number of the block, and the
  /// number of products to skip in it; no row past the end.
  private static func positionQuery(in states: [Int]) -> String {
    var tables = [
      "pending AS MATERIALIZED (SELECT product, \(change(of: states)) AS count FROM (\(pending)) AS all_states)"
    ]
    var rest = "$1"
    var numbers = "true"
    for (level, shift) in ProductBlocks.shifts.enumerated().reversed() {
      tables.append(
        """
        place_\(level) AS MATERIALIZED (
          SELECT number, (\(rest) - (through - count))::bigint AS rest FROM (
            SELECT number, count, sum(count) OVER (ORDER BY number DESC) AS through FROM (
              SELECT number, sum(count) AS count FROM (
                SELECT number, \(ProductBlocks.sum(of: states)) AS count FROM block
                WHERE level = \(level) AND \(numbers)
                UNION ALL SELECT number, count FROM (
                  SELECT product >> \(shift) AS number, count FROM pending) AS pending
                WHERE \(numbers)) AS part
              GROUP BY number) AS block) AS walked
          WHERE through > \(rest) ORDER BY number DESC LIMIT 1)
        """)
      guard level > 0 else { break }
      let step = shift - ProductBlocks.shifts[level - 1]
      rest = "(SELECT rest FROM place_\(level))"
      numbers = """
        number BETWEEN (SELECT number << \(step) FROM place_\(level)) \
        AND (SELECT (number << \(step)) + \((1 << step) - 1) FROM place_\(level))
        """
    }
    return "WITH \(tables.joined(separator: ",\n")) SELECT number, rest FROM place_0"
  }
}
