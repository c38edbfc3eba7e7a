import MarketModel
import SQLiteKit
import StoreCore
import TestSupport
import Testing

@testable import MarketStore

@Suite struct PagingTests {
  /// Market of more products than the 10,000 finds that are sorted, made once and copied for each test.
  ///
  /// Their texts are short, since indexing them takes nearly all of the time.
  private static let many = Task {
    let folder = try TemporaryFolder()
    let store = try await SQLiteStore.temporary(in: folder)
    let hash = try await PasswordHasher(cost: .least).hash(Password("market"))
    let products = try (1...13_000).map { try product($0) }
    try await store.seed(SeedMarket(products: products, pictures: [], passwordHash: hash))
    await store.close()
    return try FileContent(of: folder.path(of: "market.sqlite"))
  }

  /// One of three is reduced, one of four sold out, one of five a bicycle.
  private static func product(_ number: Int) throws -> SeedProduct {
    let full = Int64(1 + number * 7_919 % 5_000) * 100_000
    let price = try #require(
      Price(
        full: Money(hundredths: full, currency: .krw),
        discountHundredths: number % 3 == 0 ? full / Int64(2 + number % 7) : 0))
    return SeedProduct(
      seller: "Hana", name: number % 5 == 0 ? "자전거 a" : "a", description: "a", price: price,
      stock: number % 4 == 0 ? 0 : 1, created: Int64(number), pictures: [])
  }

  private static func filled(
    _ count: Int, in folder: borrowing TemporaryFolder
  ) async throws -> SQLiteStore {
    let store = try await SQLiteStore.temporary(in: folder)
    let hash = try await PasswordHasher(cost: .least).hash(Password("market"))
    try await store.generate(count, pictures: [], passwordHash: hash) { _ in }
    return store
  }

  private func filled(in folder: borrowing TemporaryFolder) async throws -> SQLiteStore {
    try await Self.many.value.write(to: folder.path(of: "market.sqlite"))
    return try await SQLiteStore.temporary(in: folder)
  }

  private func ids(
    of query: ProductQuery, by size: Int, in store: SQLiteStore
  ) async throws -> [Product.ID] {
    var ids: [Product.ID] = []
    for number in 1... {
      let request = PageRequest(query: query, position: .number(number), size: size)
      let page = try await store.page(request)
      guard !page.products.isEmpty else { break }
      ids += page.products.map(\.id)
    }
    return ids
  }

  @Test func `pages by number stay right over many blocks, also after deletions`() async throws {
    let folder = try TemporaryFolder()
    let store = try await filled(in: folder)
    for id in stride(from: Int64(5), to: 13_000, by: 51) {
      _ = try await store.delete(
        Product.ID(rawValue: id), password: Password("market"), by: .guest)
    }

    for query in [ProductQuery(), ProductQuery(filters: [.inStock]), ProductQuery(text: "a")] {
      let paged = try await ids(of: query, by: 777, in: store)

      #expect(try await paged.count == store.exactTotal(of: query))
      #expect(paged == paged.sorted().reversed())
      #expect(Set(paged).count == paged.count)
    }
    try expectConsistent(folder.path(of: "market.sqlite"))
  }

  @Test(arguments: [ProductOrder.cheapest, .priceDescending, .biggestDiscount])
  func `pages of an order by number stay right while the market changes`(
    order: ProductOrder
  ) async throws {
    let folder = try TemporaryFolder()
    let store = try await Self.filled(1_500, in: folder)

    for query in [ProductQuery(order: order), ProductQuery(order: order, filters: [.inStock])] {
      for _ in 1...2 {
        let first = try await store.page(PageRequest(query: query, size: 1_000))
        let second = try await store.page(
          PageRequest(query: query, position: first.next ?? .first, size: 1_000))
        let products = first.products + second.products
        let byCursor = products.map(\.id)

        let behind = products.drop { !$0.isSoldOut }
        #expect(behind.allSatisfy { $0.isSoldOut })
        #expect(try await ids(of: query, by: 90, in: store) == byCursor)

        let gone = byCursor[byCursor.count / 3]
        _ = try await store.delete(gone, password: Password("market"), by: .guest)
      }
    }
  }

  @Test func `many finds come in the same orders as few`() async throws {
    let folder = try TemporaryFolder()
    let store = try await filled(in: folder)

    for order in ProductOrder.allCases {
      let every = ProductQuery(text: "a", order: order)
      let page = try await store.page(PageRequest(query: every, size: 1_000))
      let next = try await store.page(
        PageRequest(query: every, position: try #require(page.next), size: 1_000))
      let whole = try await store.page(
        PageRequest(query: ProductQuery(order: order), size: 1_000))

      #expect(page.total == .atLeast(10_000))
      let found = page.products.map(\.id)
      let expected = whole.products.map(\.id).filter(Set(found).contains)
      #expect(!expected.isEmpty)
      #expect(Array(found.prefix(expected.count)) == expected)
      #expect(Set(found).isDisjoint(with: next.products.map(\.id)))
    }
  }

  @Test(arguments: [
    ProductQuery(), ProductQuery(text: "a"), ProductQuery(price: PriceRange(minimum: 20_000_000)),
    ProductQuery(since: Timestamp(seconds: 100)),
  ])
  func `many products come in their order to the end, by cursor and by number`(
    query: ProductQuery
  ) async throws {
    let folder = try TemporaryFolder()
    let store = try await filled(in: folder)

    for order in [ProductOrder.cheapest, .biggestDiscount] {
      var query = query
      query.order = order
      var products: [Product] = []
      var position: PagePosition? = .first
      while let start = position {
        let page = try await store.page(PageRequest(query: query, position: start, size: 1_000))
        products += page.products
        position = page.next
      }
      let sorted = products.sorted { left, right in
        Self.place(of: left, in: order).lexicographicallyPrecedes(Self.place(of: right, in: order))
      }

      #expect(try await products.count == store.exactTotal(of: query))
      #expect(products.count > 10_000 && products.last?.isSoldOut == true)
      #expect(products.map(\.id) == sorted.map(\.id))
      #expect(try await ids(of: query, by: 997, in: store) == products.map(\.id))
    }
  }

  private static func place(of product: Product, in order: ProductOrder) -> [Int64] {
    let price = product.pricing.price
    return [
      product.isSoldOut ? 1 : 0,
      order == .cheapest
        ? price?.toPay.hundredths ?? 0 : -Int64(price?.discountPercent ?? 0), -product.id.rawValue,
    ]
  }

  @Test func `a search that is counted no further knows its last page`() async throws {
    let folder = try TemporaryFolder()
    let store = try await filled(in: folder)

    for order in [ProductOrder.newest, .cheapest] {
      let query = ProductQuery(text: "a", order: order)
      let total = try await store.exactTotal(of: query)
      let last = (total + 999) / 1_000
      var pages: [ProductPage] = []
      for number in last - 1...last + 1 {
        let request = PageRequest(query: query, position: .number(number), size: 1_000)
        pages.append(try await store.page(request))
      }

      #expect(total > ProductTotal.bound)
      #expect(pages.map(\.products.count) == [1_000, total - 1_000 * (last - 1), 0])
      #expect(pages.map { $0.next != nil } == [true, false, false])
      #expect(pages.allSatisfy { $0.total == .atLeast(ProductTotal.bound) })
    }
  }

  @Test func `filters narrow many finds and count them`() async throws {
    let folder = try TemporaryFolder()
    let store = try await filled(in: folder)
    let reduced = ProductQuery(text: "a", order: .cheapest, filters: [.reduced])

    let page = try await store.page(PageRequest(query: reduced, size: 1_000))

    #expect(try await page.total == .exactly(store.exactTotal(of: reduced)))
    #expect(page.products.count == 1_000)
    #expect(page.products.allSatisfy { $0.pricing.price?.isReduced == true })
  }

  @Test func `pages of what was counted before are the same with that count`() async throws {
    let folder = try TemporaryFolder()
    let store = try await filled(in: folder)

    for order in [ProductOrder.newest, .cheapest] {
      for filters in [[], [ProductFilter.inStock]] as [Set<ProductFilter>] {
        for text in ["a", "자전거", "nothing has this"] {
          let query = ProductQuery(text: text, order: order, filters: filters)
          let request = PageRequest(query: query, position: .number(2), size: 50)
          let total = try await store.exactTotal(of: query)
          var expected = try await store.page(request)
          expected.total = .exactly(total)

          #expect(try await store.page(request, of: total) == expected, "\(query)")
        }
      }
    }
  }

  @Test func `a price range without a currency is found by the index, not by reading all of it`()
    async throws
  {
    let folder = try TemporaryFolder()
    _ = try await SQLiteStore.temporary(in: folder)
    let connection = try SQLiteConnection(opening: folder.path(of: "market.sqlite"), .init())
    let narrowing = ProductConditions(ProductQuery(price: PriceRange(minimum: 1_000)))

    let (sql, values) = ProductScan(narrowing, along: .prices).ids
    let plan = try connection.all("EXPLAIN QUERY PLAN " + sql, values) { row in
      row.text(3, atMost: 1_000)
    }

    #expect(plan.contains { $0.contains("state=? AND currency=? AND to_pay>? AND to_pay<?") })
  }

  @Test func `a cancelled call stops as cancelled`() async throws {
    let folder = try TemporaryFolder()
    let store = try await Self.filled(100, in: folder)

    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await store.page(PageRequest())
    }

    await #expect(throws: RepositoryError.cancelled) { try await task.value }
  }

  @Test func `the version of the data changes with each change, whoever makes it`() async throws {
    let folder = try TemporaryFolder()
    let store = try await SQLiteStore.temporary(in: folder)
    let other = try await SQLiteStore.temporary(in: folder)
    let before = store.dataVersion()
    #expect(store.dataVersion() == before)

    _ = try await store.register(.sample())
    let own = store.dataVersion()
    _ = try await other.register(.sample())

    #expect(own != before)
    #expect(store.dataVersion() != own)
    #expect(try await store.page(PageRequest()).total == .exactly(2))
  }
}
