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

  @Test
  func `random queries of all parts are answered alike, as the plainest reading answers them`()
    async throws
  {
    let stores = try await StorePair()
    let hash = try await PasswordHasher(cost: .least).hash(Password("market"))
    for store in stores.both {
      try await store.generate(400, pictures: [], passwordHash: hash) { _ in }
    }
    var details: [ProductDetail] = []
    for id in Int64(1)...400 {
      details.append(try await stores.file.detail(of: Product.ID(rawValue: id)))
    }
    let plain = InMemoryProductRepository(details)
    var random = SeededRandom(seed: 13)
    for _ in 1...600 {
      let query = Self.query(among: details, &random)
      let request = PageRequest(
        query: query, position: Bool.random(using: &random) ? .first : .number(2), size: 9)
      let expected = try await plain.page(request)
      let page = try await stores.file.page(request)
      #expect(page.products == expected.products, "\(query)")
      #expect(page.total == expected.total, "\(query)")
      #expect(try await stores.database.page(request) == page, "\(query)")
      guard let next = page.next, let plainNext = expected.next else { continue }
      let more = try await stores.file.page(PageRequest(query: query, position: next, size: 5))
      let rest = try await plain.page(PageRequest(query: query, position: plainNext, size: 5))
      #expect(more.products == rest.products, "\(query)")
      let same = try await stores.database.page(PageRequest(query: query, position: next, size: 5))
      #expect(same == more, "\(query)")
    }
  }

  private static let words = [
    "ㅈㅈㄱ", "자저", "자전거", "자ㅈ", "ㄱ", "거", "a", "in", "like", "설명서", "무서", "ㅇㅇㅍ", "블", "s'", "네 가",
    "상태 좋은", "t new",
  ]

  private static func query(
    among details: [ProductDetail], _ random: inout SeededRandom
  ) -> ProductQuery {
    func sometimes(_ random: inout SeededRandom) -> Bool {
      Int.random(in: 0..<4, using: &random) == 0
    }
    let some = details[Int.random(in: details.indices, using: &random)].product
    let pays = some.pricing.price?.toPay.hundredths ?? 0
    var query = ProductQuery(order: ProductOrder.allCases.randomElement(using: &random) ?? .newest)
    if sometimes(&random) { query.text = words.randomElement(using: &random) ?? "" }
    if sometimes(&random) { query.phrases = [words.randomElement(using: &random) ?? ""] }
    if sometimes(&random) { query.without = [words.randomElement(using: &random) ?? ""] }
    if sometimes(&random) { query.price.minimum = pays }
    if sometimes(&random) { query.price.maximum = pays * 2 }
    if sometimes(&random) { query.currency = Bool.random(using: &random) ? .krw : .usd }
    if sometimes(&random) {
      query.filters = [ProductFilter.allCases.randomElement(using: &random) ?? .inStock]
    }
    if sometimes(&random) {
      query.sellers = details[0..<Int.random(in: 1...40, using: &random)].map(\.product.seller.id)
    }
    if sometimes(&random) { query.since = some.created }
    if sometimes(&random) {
      query.ids = (0..<30).map { _ in Product.ID(rawValue: .random(in: 1...500, using: &random)) }
    }
    return query
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
