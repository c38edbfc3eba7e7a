import MarketModel
import SQLiteKit

extension SQLiteStore {
  /// Markets that have had fewer products are counted in one piece.
  private static let smallestToDivide: Int64 = 1 << 13

  /// One page of a query with words.
  ///
  /// Counting what it finds takes most of the time, so the two halves of the market are counted at
  /// once. Where something was written meanwhile, the page and its count may not belong together,
  /// and one transaction finds both.
  func search(
    _ request: PageRequest, for expression: String
  ) async throws(RepositoryError) -> Outcome<ProductPage> {
    let version = dataVersion()
    let finds = try await total(of: expression, atMost: ProductTotal.bound + 1)
    let page = try await read(searches) { connection throws(DatabaseError) in
      try connection.search(request, for: expression, finds: finds)
    }
    if version != nil, version == dataVersion() { return page }
    return try await read(searches) { connection throws(DatabaseError) in
      try connection.search(request, for: expression, finds: nil)
    }
  }

  /// How many products a query with words finds, whatever that costs.
  func exactTotal(
    of expression: String, in states: [Int]
  ) async throws(RepositoryError) -> Int {
    guard states.count < 4 else { return try await total(of: expression, atMost: -1) }
    return try await read(searches) { connection throws(DatabaseError) in
      try connection.exactTotal(of: expression, in: states)
    }
  }

  private func total(
    of expression: String, atMost limit: Int
  ) async throws(RepositoryError) -> Int {
    let last = try await read(pages) { connection throws(DatabaseError) in
      try connection.integer("SELECT max(id) FROM product") ?? 0
    }
    guard last >= Self.smallestToDivide else {
      return try await count(ProductCount(expression: expression, limit: limit), over: searches)
        .get()
    }
    let older = ProductCount(
      expression: expression, ids: Int64.min...last / 2, limit: limit)
    let newer = ProductCount(
      expression: expression, ids: last / 2 + 1...Int64.max, limit: limit)
    async let first = count(older, over: searches)
    let second = try await count(newer, over: counts).get()
    let sum = try await first.get() + second
    return limit < 0 ? sum : min(limit, sum)
  }

  private func count(
    _ count: ProductCount, over connection: StoreConnection
  ) async -> Result<Int, RepositoryError> {
    do throws(RepositoryError) {
      return .success(
        try await read(connection) { connection throws(DatabaseError) in
          try connection.count(count)
        })
    } catch {
      return .failure(error)
    }
  }
}
