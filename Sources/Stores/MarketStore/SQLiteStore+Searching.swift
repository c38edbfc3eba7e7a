import MarketModel
import SQLiteKit
import StoreCore

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
  ) async throws(RepositoryError) -> ProductPage {
    let version = dataVersion()
    let finds = try await total(of: expression, atMost: ProductTotal.bound + 1)
    let page = try await read(over: searches) { tables throws(DatabaseError) in
      try tables.searches.page(request, for: expression, finds: finds)
    }
    if version != nil, version == dataVersion() { return try page.get() }
    return try await read(over: searches) { tables throws(DatabaseError) in
      try tables.searches.page(request, for: expression, finds: nil)
    }.get()
  }

  /// One page of a query with words that finds `total` products.
  func search(
    _ request: PageRequest, for expression: String, of total: Int
  ) async throws(RepositoryError) -> ProductPage {
    let isFiltered = request.query.filters.states.count < 4
    // Without its filters a query finds at least as many.
    let finds = isFiltered && total <= ProductTotal.bound ? nil : total
    var page = try await read(over: searches) { tables throws(DatabaseError) in
      try tables.searches.page(request, for: expression, finds: finds)
    }.get()
    page.total = .exactly(total)
    return page
  }

  /// How many products a query with words finds, whatever that costs.
  func exactTotal(
    of expression: String, in states: [Int]
  ) async throws(RepositoryError) -> Int {
    guard states.count < 4 else { return try await total(of: expression, atMost: nil) }
    return try await read(over: searches) { tables throws(DatabaseError) in
      try tables.searches.exactTotal(of: expression, in: states)
    }
  }

  private func total(
    of expression: String, atMost limit: Int?
  ) async throws(RepositoryError) -> Int {
    let last = try await read(.statements) { tables throws(DatabaseError) in
      try tables.products.highestID()
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
    return min(limit ?? sum, sum)
  }

  private func count(
    _ count: ProductCount, over connection: StoreConnection
  ) async -> Result<Int, RepositoryError> {
    do throws(RepositoryError) {
      return .success(
        try await read(over: connection) { tables throws(DatabaseError) in
          try tables.searches.count(count)
        })
    } catch {
      return .failure(error)
    }
  }
}
