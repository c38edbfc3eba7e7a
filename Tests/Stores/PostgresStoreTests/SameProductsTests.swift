import MarketModel
import MarketStore
import PostgresStore
import PostgresTestSupport
import StoreCore
import TestSupport
import Testing

/// One generated market on SQLite and on PostgreSQL.
@Suite(.enabled(if: TestCluster.isPossible, Comment(rawValue: TestCluster.hint)))
struct SameProductsTests {
  /// Searches of more than 10,000 finds are answered another way, so there are more products.
  private static let count = 13_000

  @Test func `pages deep inside and searches of many finds hold the same products`() async throws {
    let stores = try await StorePair()
    let (file, database) = (stores.file, stores.database)
    let hash = try await PasswordHasher(cost: .least).hash(Password("market"))
    for store in stores.both {
      try await store.generate(Self.count, pictures: [], passwordHash: hash) { _ in }
      for id in stride(from: Int64(5), to: 9_000, by: 370) {
        _ = try await store.delete(
          Product.ID(rawValue: id), password: Password("market"), by: .guest)
      }
    }

    for query in Self.queries {
      for number in [1, 2, 17, 120, 240] {
        let request = PageRequest(query: query, position: .number(number), size: 50)
        let expected = try await file.page(request)
        #expect(try await database.page(request) == expected, "\(request)")
        guard let next = expected.next else { continue }
        let following = PageRequest(query: query, position: next, size: 7)
        #expect(try await database.page(following) == file.page(following), "\(following)")
      }
      let total = try await file.exactTotal(of: query)
      #expect(try await database.exactTotal(of: query) == total, "\(query)")
      let first = PageRequest(query: query, size: 50)
      #expect(
        try await database.page(first, of: total) == file.page(first, of: total), "\(query)")
    }
  }

  private static let queries = ["", "a", "자전거 a"].flatMap { text in
    ProductOrder.allCases.flatMap { order in
      [[], [ProductFilter.inStock, .reduced]].flatMap { filters in
        [[], [Seller.ID(rawValue: 3)]].map { seller in
          ProductQuery(text: text, order: order, filters: Set(filters), sellers: seller)
        }
      }
    }
  }
}
