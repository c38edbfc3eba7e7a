import MarketModel
import SQLiteKit

/// Products of pages, from queries of their ids.
package struct OrderedProducts {
  /// Products that queries found, in order: whole, or the states of their rows where rows are kept.
  package struct Found {
    fileprivate var products: [Product] = []
    fileprivate var states: [RowState] = []

    package var count: Int { products.count + states.count }

    package init() {}

    package mutating func append(_ others: Found) {
      products += others.products
      states += others.states
    }
  }

  private let database: any MarketDatabase
  /// The rows of pages that ask for them; nil reads whole products.
  private let kept: ListedRowCache?
  private let isBrief: Bool

  /// `rows` are the rows of pages that ask for them.
  package init(
    _ database: any MarketDatabase, for request: PageRequest, keeping rows: ListedRowCache?
  ) {
    self.database = database
    kept = request.hasRows ? rows : nil
    isBrief = request.isBrief
  }

  /// The products whose ids and order columns a query returns, in its order.
  package func listing(
    _ sql: String, in order: StoredOrder, _ values: [SQLValue], isPlannedAnew: Bool = false
  ) -> Reading<Found> {
    let columns = isBrief ? ProductColumns.brief : .listed
    let kept = kept
    let (selection, joins) =
      kept != nil
      ? (RowState.columns, RowState.join)
      : (columns.selection, isBrief ? "" : ProductQueries.joins)
    let dialect = database.dialect
    let text = """
      SELECT \(selection) FROM (\(sql)) AS found
      \(dialect.join) product ON product.id = found.id \(joins.isEmpty ? "" : dialect.crossing)\(joins)
      \(dialect.ordered(by: order.terms(of: "found")))
      """
    var found = Found()
    let query = Query(SQL(text), values, isPlannedAnew: isPlannedAnew) { row throws(StoreError) in
      if kept == nil {
        found.products.append(try columns.product(in: row).listed.orDamaged())
      } else {
        found.states.append(try RowState(in: row).orDamaged())
      }
    }
    return Reading([query]) { found }
  }

  /// The products of some ids, in their order.
  /// - Throws: the statement's `StoreError`; `.damaged` where a row has an invalid id.
  package func products(_ ids: [Product.ID]) throws(StoreError) -> Found {
    var found = Found()
    if kept == nil {
      found.products = try database.products.listed(ids, isBrief: isBrief)
    } else {
      found.states = try database.products.states(of: ids)
    }
    return found
  }

  /// The page of some products, which may be one more than it holds.
  package func page(
    of found: Found, size: Int, order: StoredOrder, total: ProductTotal
  ) -> Reading<ProductPage> {
    func page(_ page: ProductPage) -> ProductPage {
      var page = page
      let key = page.products.last.flatMap { OrderKey(of: $0, in: order) }
      if found.count > size { page.next = key.map { .after($0.cursor) } }
      return page
    }
    guard let kept else {
      let products = Array(found.products.prefix(size))
      return Reading(page(ProductPage(products: products, total: total, next: nil)))
    }
    return kept.rows(of: found.states.prefix(size), in: database).map {
      page(ProductPage(rows: $0, total: total, next: nil))
    }
  }

  /// The page of products and their total, read in one round trip.
  /// - Throws: the statements' `StoreError`; `.damaged` where a row has an invalid id.
  package func page(
    of read: Reading<(Found, ProductTotal)>, size: Int, order: StoredOrder
  ) throws(StoreError) -> Reading<ProductPage> {
    // Rows that are not kept are known only then.
    guard kept == nil else {
      let (found, total) = try database.read(read)
      return page(of: found, size: size, order: order, total: total)
    }
    return read.map { found, total throws(StoreError) in
      try page(of: found, size: size, order: order, total: total).value
    }
  }
}
