import MarketModel
import SQLiteKit

/// Pages, totals and details of products.
extension StoredMarket {
  package func page(_ request: PageRequest) async throws(RepositoryError) -> ProductPage {
    try await page(request, counted: nil)
  }

  package func page(
    _ request: PageRequest, of total: Int
  ) async throws(RepositoryError) -> ProductPage {
    var page = try await page(request, counted: total)
    // A total that was read with the page is of one state with it.
    if case .atLeast = page.total { page.total = .exactly(total) }
    return page
  }

  private func page(
    _ request: PageRequest, counted total: Int?
  ) async throws(RepositoryError) -> ProductPage {
    if let ids = request.query.ids { return try await page(of: ids, in: request) }
    let narrowing = ProductConditions(request.query)
    if request.query.findsNothing || narrowing.passesNothing { return .nothing }
    if let page = try await search(request, counted: total) { return page }
    let (bookmarks, rows) = (bookmarks, rows)
    let isQuick = narrowing.isOfStatesAlone && !request.walksAnOrder
    let page = try await read(isQuick ? .oneState : .search) {
      database throws(StoreError) -> Reading<Outcome<ProductPage>> in
      switch try PageQueries(database).page(request, bookmarks: bookmarks, rows: rows) {
      case .success(let page): page.map { .success($0) }
      case .failure(let refusal): Reading(.failure(refusal))
      }
    }
    return try page.get()
  }

  package func exactTotal(of query: ProductQuery) async throws(RepositoryError) -> Int {
    if let ids = query.ids { return try await exactTotal(of: query, among: ids) }
    let narrowing = ProductConditions(query)
    if query.findsNothing || narrowing.passesNothing { return 0 }
    if let total = try await searchTotal(of: query) { return total }
    return try await read(narrowing.isOfStatesAlone ? .oneState : .search) {
      database throws(StoreError) in try PageQueries(database).total(of: narrowing)
    }
  }

  package func detail(of id: Product.ID) async throws(RepositoryError) -> ProductDetail {
    guard let detail = try await read(.oneState, { $0.products.detail(of: id) }) else {
      throw .notFound
    }
    return detail
  }

  package func total(of query: ProductQuery) async throws(RepositoryError) -> ProductTotal {
    .exactly(try await exactTotal(of: query))
  }

  package func descriptions(
    of ids: [Product.ID], atMost characters: Int
  ) async throws(RepositoryError) -> [String] {
    try await read(.statements) { database throws(StoreError) in
      try database.products.descriptions(of: ids, atMost: characters)
    }
  }
}
