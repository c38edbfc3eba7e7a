import MarketModel
import SQLiteKit
import StoreCore
import TestSupport
import Testing

@testable import MarketStore

@Suite struct PagingTests {
  private func filled(_ count: Int, in folder: borrowing TemporaryFolder) async throws
    -> SQLiteStore
  {
    let store = try await SQLiteStore.temporary(in: folder)
    let hash = try await PasswordHasher(cost: .least).hash(Password("market"))
    try await store.generate(count, pictures: [], passwordHash: hash) { _ in }
    return store
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
    let store = try await filled(9_000, in: folder)
    for id in stride(from: Int64(5), to: 9_000, by: 37) {
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
    let store = try await filled(1_500, in: folder)

    for query in [ProductQuery(order: order), ProductQuery(order: order, filters: [.inStock])] {
      for _ in 1...2 {
        let first = try await store.page(PageRequest(query: query, size: 1_000))
        let second = try await store.page(
          PageRequest(query: query, position: first.next ?? .first, size: 1_000))
        let byCursor = (first.products + second.products).map(\.id)

        #expect(try await ids(of: query, by: 90, in: store) == byCursor)

        let gone = byCursor[byCursor.count / 3]
        _ = try await store.delete(gone, password: Password("market"), by: .guest)
      }
    }
  }

  @Test func `many finds come in the same orders as few`() async throws {
    let folder = try TemporaryFolder()
    // More than the 10,000 up to which finds are sorted.
    let store = try await filled(13_000, in: folder)

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

  @Test func `filters narrow many finds and count them`() async throws {
    let folder = try TemporaryFolder()
    let store = try await filled(13_000, in: folder)
    let reduced = ProductQuery(text: "a", order: .cheapest, filters: [.reduced])

    let page = try await store.page(PageRequest(query: reduced, size: 1_000))

    #expect(try await page.total == .exactly(store.exactTotal(of: reduced)))
    #expect(page.products.count == 1_000)
    #expect(page.products.allSatisfy { $0.pricing.price?.isReduced == true })
  }

  @Test func `pages of what was counted before are the same with that count`() async throws {
    let folder = try TemporaryFolder()
    let store = try await filled(13_000, in: folder)

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
    let connection = try Connection(opening: folder.path(of: "market.sqlite"), .init())
    let narrowing = ProductNarrowing(ProductQuery(price: PriceRange(minimum: 1_000)))

    let (sql, values) = ProductScan(narrowing, along: .prices).ids
    let plan = try connection.all("EXPLAIN QUERY PLAN " + sql, values) { row in
      row.text(3, atMost: 1_000)
    }

    #expect(plan.contains { $0.contains("state=? AND currency=? AND to_pay>? AND to_pay<?") })
  }

  @Test func `a cancelled call stops as cancelled`() async throws {
    let folder = try TemporaryFolder()
    let store = try await filled(100, in: folder)

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
