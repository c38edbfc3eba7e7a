import Expectations
import MarketModel
import PostgresTestSupport
import SQLiteKit
import StoreCore
import TestSupport
import Testing

@testable import PostgresStore

/// Statements of lists, which are planned once for each connection.
@Suite(.cluster) struct PreparedListTests {
  @Test func `all pages of a list share a few statements, whose plans are kept`() async throws {
    let (store, address) = try await TestCluster.emptyMarket()
    for number in 0..<24 { _ = try await store.register(.sample(stock: Int64(number % 2))) }
    let connection = try PostgresConnection(to: address)

    var ids: [Product.ID] = []
    for number in 1...8 {
      let request = PageRequest(position: .number(number), size: 3)
      let page = try connection.answer(.reading) {
        () throws(StoreError) -> Outcome<Reading<ProductPage>> in
        .success(try connection.page(request, after: nil, bookmarks: OrderBookmarks()))
      }.get()
      ids += page.products.map(\.id)
    }
    let plans = try connection.run(
      """
      SELECT count(*), sum(generic_plans)::bigint FROM pg_prepared_statements
      WHERE statement LIKE '%AS arm%'
      """
    ).first

    expect(ids, (1...24).reversed().map { Product.ID(rawValue: $0) })
    // The first page, and those behind it with and without products to pass over.
    #expect(plans?.integer(0) ?? 0 <= 3 && plans?.integer(1) ?? 0 > 0)
  }
}
