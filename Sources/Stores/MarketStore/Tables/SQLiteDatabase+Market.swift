import MarketModel
import SQLiteKit
import StoreCore
import TextCoding

/// Operations of a market that SQLite does differently from PostgreSQL.
extension SQLiteDatabase: MarketDatabase {
  package var dialect: SQLDialect { .sqlite }

  package func storedBytes() throws(StoreError) -> Int64 {
    let pages = try integer("PRAGMA page_count") ?? 0
    let free = try integer("PRAGMA freelist_count") ?? 0
    return (pages - free) * (try integer("PRAGMA page_size") ?? 0)
  }

  /// Does nothing: AUTOINCREMENT continues after the highest id.
  package func skipNumbers(upTo number: Int64, in table: NumberedTable) {}

  package func countProduct(
    _ id: Product.ID, from before: Int?, to after: Int?
  ) throws(StoreError) {
    guard before != after else { return }
    try count(BlockChanges(of: id, from: before, to: after))
  }

  package func addToIndex(_ products: [NewProduct]) throws(StoreError) {
    for new in products {
      try addToIndex(
        Product.ID(rawValue: new.id), new.text, of: Seller.ID(rawValue: new.product.seller))
    }
  }

  /// Its index has no prices.
  package func changePriceInIndex(of product: Product.ID) {}

  package func highestID(in table: NumberedTable) throws(StoreError) -> Int64 {
    StoredNumbers.count(
      try integer("SELECT seq FROM sqlite_sequence WHERE name = $1", .text(table.rawValue)) ?? 0)
  }

  /// AUTOINCREMENT goes on after ids that are given.
  /// - Throws: `.damaged` where no ids are left, as in a forged file.
  package func newProductIDs(_ count: Int, above last: Int64) throws(StoreError) -> [Int64] {
    let highest = try integer("SELECT max(id) FROM product") ?? 0
    let last = max(last, highest, try highestID(in: .product))
    guard last <= StoredNumbers.productIDs.upperBound - Int64(count) else { throw .damaged }
    return (0..<count).map { last + 1 + Int64($0) }
  }

  /// Checks that the file is at its path, and holds a market.
  /// - Throws: `.cannotOpen` where it was moved or replaced.
  func checkReadiness() throws(StoreError) {
    try file.checkNotMoved()
    _ = try integer("SELECT count(*) FROM server_key")
  }

  /// Whether a table has no ids left, which happens only in a forged file; SQLite then reports that the
  /// file is full.
  var hasSpentNumbers: Bool {
    let spent = try? integer(
      "SELECT 1 FROM sqlite_sequence WHERE seq > $1", .integer(StoredNumbers.counts.upperBound))
    return spent != nil
  }
}

extension Schema {
  /// The tables of a market file; the scripts are in `Resources/schema`.
  static let store = Schema(
    // "OMkt" in ASCII.
    applicationID: 0x4F4D_6B74,
    migrations: ResourceFile.texts("schema/store", ".sql", from: firstVersion), late: "product_")
}

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
