import MarketModel
import SQLiteKit
import StoreCore

/// Products of a list, from a query of their ids.
enum OrderedProducts {
  /// The statement for the products whose ids and order columns a query returns, in order; `read(_:)`
  /// reads its rows.
  static func listing(
    _ sql: String, in order: StoredOrder, _ parameters: StatementParameters,
    isPlannedAnew: Bool = true
  ) -> PostgresStatement {
    PostgresStatement(
      """
      SELECT \(ProductColumns.listed.selection) FROM (\(sql)) AS found
      JOIN product ON product.id = found.id \(ProductQueries.joins)
      ORDER BY \(order.terms(of: "found").joined(separator: ", "))
      """, parameters.values, isPlannedAnew: isPlannedAnew)
  }

  /// Products from rows of the listed columns.
  /// - Throws: `.damaged` where a row has an invalid id.
  static func read(_ rows: PostgresRows) throws(StoreError) -> [Product] {
    try rows.map { row throws(StoreError) in
      try ProductColumns.listed.product(in: row).listed.orDamaged()
    }
  }
}
