import MarketModel
import SQLiteKit
import StoreCore
import TestSupport
import Testing

@testable import MarketStore

/// Which index a file goes along.
@Suite struct ProductScanTests {
  @Test func `a price range without a currency is found by the index, not by reading all of it`()
    async throws
  {
    let folder = try TemporaryFolder()
    _ = try await SQLiteStore.temporary(in: folder)
    let connection = try SQLiteConnection(opening: folder.path(of: "market.sqlite"), .init())
    let narrowing = ProductConditions(ProductQuery(price: PriceRange(minimum: 1_000)))

    let (sql, values) = ProductScan(narrowing, along: .prices).ids
    let plan = try connection.all(SQL("EXPLAIN QUERY PLAN " + sql), values) { row in
      row.text(3, atMost: 1_000)
    }

    #expect(plan.contains { $0.contains("state=? AND currency=? AND to_pay>? AND to_pay<?") })
  }
}
