import Expectations
import MarketModel
import StoreCore
import TestSupport
import Testing

/// How far lists and searches are counted.
struct CountTests {
  private static let words = [
    "a", "자전거", "hana", "hana 3", "자전거 hana 0", "ㅈㅈㄱ", "nothing has this",
  ]

  private static func query(_ random: inout SeededRandom) -> ProductQuery {
    var query = ProductQuery(order: ProductOrder.allCases.randomElement(using: &random) ?? .newest)
    func isAsked() -> Bool { Int.random(in: 0..<4, using: &random) == 0 }
    if !isAsked() { query.text = words.randomElement(using: &random) ?? "" }
    if isAsked() { query.without = ["hana 2"] }
    if isAsked() { query.filters = [ProductFilter.allCases.randomElement(using: &random) ?? .sold] }
    if isAsked() { query.price.minimum = Int64.random(in: 1...400_000_000, using: &random) }
    if isAsked() { query.choices[.category] = ["books"] }
    if isAsked() { query.sellers = [Seller.ID(rawValue: Int64.random(in: 1...7, using: &random))] }
    if isAsked() { query.since = Timestamp(seconds: Int64.random(in: 1...13_000, using: &random)) }
    return query
  }

  /// Products that a query is counted to; nil for all.
  private static func bound(of query: ProductQuery, _ countsExactly: Bool) -> Int? {
    if query.isSearch { return countsExactly ? 10_000 : 1_000 }
    let byIndex: Set<QueryPart> = [.inStock, .reduced, .filter(.sold), .seller]
    return query.parts.isSubset(of: byIndex) ? nil : 10_000
  }

  @Test(arguments: Database.allCases)
  func `random queries are counted up to their bound, and each page knows if one follows`(
    _ database: Database
  ) async throws {
    let market = try await ManyProducts(database)
    var random = SeededRandom(seed: 34)
    var cut: [Int: Int] = [:]

    for _ in 1...250 {
      let query = Self.query(&random)
      let count = try await market.store.exactTotal(of: query)
      let size = [1, 20, 333, 1_000].randomElement(using: &random) ?? 1
      let last = max(1, (count + size - 1) / size)
      let number = [1, 2, 1_001 / size + 1, last, last + 1].randomElement(using: &random) ?? 1
      let request = PageRequest(
        query: query, position: number == 1 ? .first : .number(number), size: size,
        countsExactly: Bool.random(using: &random))
      let page = try await market.store.page(request)

      let bound = Self.bound(of: query, request.countsExactly) ?? .max
      expect(page.total, count > bound ? .atLeast(bound) : .exactly(count), "\(request)")
      expect(page.products.count, min(size, max(0, count - size * (number - 1))), "\(request)")
      expect(page.next != nil, number < last, "\(request)")
      if count > bound { cut[bound, default: 0] += 1 }
      guard let next = page.next else { continue }
      let behind = try await market.store.page(
        PageRequest(query: query, position: next, size: size, countsExactly: request.countsExactly))
      #expect(behind.total == page.total && !behind.products.isEmpty, "\(request)")
      expect(behind.next != nil, number + 1 < last, "\(request)")
    }

    #expect(cut[1_000, default: 0] > 20 && cut[10_000, default: 0] > 5)
  }

  @Test(arguments: Database.allCases)
  func `one seller's products are counted to the last`(_ database: Database) async throws {
    let market = try await ManyProducts(database)
    let seller = try await market.store.detail(of: Product.ID(rawValue: 1)).product.seller.id

    for filters in [[], [ProductFilter.inStock]] as [Set<ProductFilter>] {
      for order in ProductOrder.allCases {
        let query = ProductQuery(order: order, filters: filters, sellers: [seller])
        let count = try await market.store.exactTotal(of: query)
        #expect(count > 10_000 || !filters.isEmpty)
        try await expect(market.store.page(PageRequest(query: query)).total, .exactly(count))
      }
    }
  }
}
