import MarketModel
import SQLiteKit
import StoreCore

/// Product that a query found: whole, or the state of its row where rows are kept.
enum FoundProduct {
  case product(Product)
  case state(RowState)
}

/// Products of a list, from a query of their ids.
struct OrderedProducts {
  /// The rows of pages that ask for them; nil reads whole products.
  let kept: ListedRowCache?

  /// The statement for the products whose ids and order columns a query returns, in order; `read(_:)`
  /// reads its rows.
  func listing(
    _ sql: String, in order: StoredOrder, _ parameters: StatementParameters,
    isPlannedAnew: Bool = true
  ) -> PostgresStatement {
    let columns = kept == nil ? ProductColumns.listed.selection : RowState.columns
    let joins = kept == nil ? ProductQueries.joins : RowState.join
    return PostgresStatement(
      """
      SELECT \(columns) FROM (\(sql)) AS found
      JOIN product ON product.id = found.id \(joins)
      ORDER BY \(order.terms(of: "found").joined(separator: ", "))
      """, parameters.values, isPlannedAnew: isPlannedAnew)
  }

  /// The statements that end a page's transaction: none where rows may still have to be read.
  var end: [PostgresStatement] { kept == nil ? [.commit] : [] }

  /// Products from rows of a listing.
  /// - Throws: `.damaged` where a row has an invalid id.
  func read(_ rows: PostgresRows) throws(StoreError) -> [FoundProduct] {
    try rows.map { row throws(StoreError) in
      kept == nil
        ? .product(try ProductColumns.listed.product(in: row).listed.orDamaged())
        : .state(try RowState(in: row).orDamaged())
    }
  }

  /// The page of some products, which may be one more than it holds.
  /// - Throws: what `ListedRowCache.rows(of:in:)` throws.
  func page(
    of found: [FoundProduct], size: Int, order: StoredOrder, total: ProductTotal,
    over connection: PostgresConnection
  ) throws(StoreError) -> ProductPage {
    let shown = found.prefix(size)
    let states = shown.compactMap { if case .state(let state) = $0 { state } else { nil } }
    let products = shown.compactMap { if case .product(let product) = $0 { product } else { nil } }
    var page = ProductPage(products: products, total: total, next: nil)
    if let kept {
      page = ProductPage(rows: try kept.rows(of: states, in: connection), total: total, next: nil)
    }
    let key = page.products.last.flatMap { OrderKey(of: $0, in: order) }
    if found.count > size { page.next = key.map { .after($0.cursor) } }
    return page
  }
}
