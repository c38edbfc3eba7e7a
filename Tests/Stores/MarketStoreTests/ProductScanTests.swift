import Expectations
import MarketModel
import SQLiteKit
import StoreCore
import TestSupport
import Testing

@testable import MarketStore

/// Which index a file goes along.
struct ProductScanTests {
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

  @Test(
    arguments: ProductField.choices.filter { $0 != .currency }
      .map { ($0, "\($0.rawValue)=? AND state=?") } + [
        (.place, "place=? AND state=?"), (.reserved, "reserved=? AND state=?"),
      ])
  func `what is asked of a field is found by its index`(
    field: ProductField, range: String
  ) async throws {
    let folder = try TemporaryFolder()
    _ = try await SQLiteStore.temporary(in: folder)
    let connection = try SQLiteConnection(opening: folder.path(of: "market.sqlite"), .init())
    var query = ProductQuery(order: .cheapest)
    switch field {
    case .place: query.place = "seoul"
    case .reserved: query.filters = [.reserved]
    default: query.choices[field] = [FieldSample[field].text]
    }
    let narrowing = ProductConditions(query)

    expect(DrivingIndex.all(for: narrowing), [.field(field)])
    let (count, values) = ProductScan(narrowing, along: .field(field)).count(atMost: 10)
    let page = ProductSelection(
      OrderPart(narrowing, in: StoredOrder(.cheapest), after: nil), along: .field(field),
      offset: 0,
      limit: 10)
    for (sql, values) in [(count, values), (page.sql, page.values)] {
      let plan = try connection.all(SQL("EXPLAIN QUERY PLAN " + sql), values) { row in
        row.text(3, atMost: 1_000)
      }
      #expect(
        plan.contains { $0.hasSuffix("product_of_\(field.rawValue) (\(range))") }, "\(plan)")
    }
  }
}
