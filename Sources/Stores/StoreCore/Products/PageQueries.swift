import MarketModel
import SQLiteKit

/// Reader of pages of queries without words.
///
/// - Throws: every call throws the `StoreError` of its statement.
package struct PageQueries {
  private let database: any MarketDatabase

  package init(_ database: any MarketDatabase) {
    self.database = database
  }

  /// One page of a query without words, or `.unknownCursor` for a cursor of another query.
  ///
  /// `rows` are the rows of pages that ask for them.
  package func page(
    _ request: PageRequest, bookmarks: OrderBookmarks, rows: ListedRowCache? = nil
  ) throws(StoreError) -> Outcome<Reading<ProductPage>> {
    let narrowing = ProductConditions(request.query)
    guard let (order, key) = request.place else { return .failure(.unknownCursor) }
    var start = PageStart(states: narrowing.states, after: key, offset: request.offset)
    // In a narrowed list all products before the page are skipped one by one.
    if case .number = request.position, request.offset > 0, narrowing.isOfStatesAlone {
      guard let found = try self.start(of: request, among: narrowing.states, bookmarks) else {
        return .success(
          database.total(of: narrowing.states).map {
            ProductPage(products: [], total: .exactly($0), next: nil)
          })
      }
      start = found
    }
    return .success(
      try database.page(
        of: narrowing, from: start, in: order, size: request.boundedSize,
        OrderedProducts(database, for: request, keeping: rows)))
  }

  /// The position of a page by number; nil past the end.
  private func start(
    of request: PageRequest, among states: [Int], _ bookmarks: OrderBookmarks
  ) throws(StoreError) -> PageStart? {
    guard request.query.order != .newest else {
      return try database.position(atOffset: request.offset, in: states).map { after, offset in
        PageStart(states: states, after: after, offset: offset)
      }
    }
    return try bookmarks.start(
      atOffset: request.offset, in: request.query.order, states: states,
      at: try database.productsVersion(),
      count: { states throws(StoreError) in try database.read(database.total(of: states)) },
      next: { walk, after, count throws(StoreError) in
        try database.bookmarks(along: walk, after: after, count: count)
      })
  }

  /// The number of products of a query without words, without a limit.
  package func total(of narrowing: ProductConditions) throws(StoreError) -> Int {
    narrowing.isOfStatesAlone
      ? try database.read(database.total(of: narrowing.states))
      : try database.count(narrowing, atMost: nil)
  }
}
