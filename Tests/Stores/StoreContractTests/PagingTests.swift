import Expectations
import MarketModel
import StoreCore
import TestSupport
import Testing

/// Pages of large markets.
struct PagingTests {
  @Test(arguments: Database.allCases)
  func `pages by number stay right over many blocks, also after deletions`(_ database: Database)
    async throws
  {
    let market = try await ManyProducts(database)

    let newest = Self.ofFields.filter { $0.order == .newest }
    for query in [
      ProductQuery(), ProductQuery(filters: [.inStock]), ProductQuery(text: "a"),
    ] + newest {
      let paged = try await market.store.numbered(query, by: 777).map(\.id)

      try await expect(paged.count, market.store.exactTotal(of: query))
      expect(paged, paged.sorted().reversed())
      expect(Set(paged).count, paged.count)
    }
  }

  @Test(arguments: Database.allCases)
  func `pages of an order by number stay right while the market changes`(_ database: Database)
    async throws
  {
    let market = try await ContractMarket(database)
    let hash = try await PasswordHasher(cost: .least).hash(Password("market"))
    try await market.store.generate(1_500, pictures: [], passwordHash: hash) { _ in }

    for order in ProductOrder.allCases where order != .newest {
      for query in [ProductQuery(order: order), ProductQuery(order: order, filters: [.inStock])] {
        for _ in 1...2 {
          let products = try await market.store.following(query, by: 1_000)

          #expect(products.drop { !$0.isSoldOut }.allSatisfy { $0.isSoldOut })
          let numbered = try await market.store.numbered(query, by: 90)
          expect(numbered.map(\.id), products.map(\.id))

          _ = try await market.store.remove(products[products.count / 3].id)
        }
      }
    }
  }

  @Test(arguments: Database.allCases)
  func `a page of an order by number is right after an edit that only moves a product`(
    _ database: Database
  ) async throws {
    let market = try await ContractMarket(database)
    let hash = try await PasswordHasher(cost: .least).hash(Password("market"))
    try await market.store.generate(600, pictures: [], passwordHash: hash) { _ in }
    let query = ProductQuery(order: .cheapest, filters: [.inStock])
    let before = try await market.store.numbered(query, by: 90)

    let first = try #require(before.first)
    _ = try await market.store.update(
      first.id, with: ProductPatch(priceHundredths: 1_000_000_000), password: Password("market"),
      by: .guest, expecting: nil)

    let after = try await market.store.numbered(query, by: 90).map(\.id)
    expect(after, try await market.store.following(query, by: 1_000).map(\.id))
    #expect(after.first != first.id)
  }

  @Test(
    arguments: [
      ProductQuery(), ProductQuery(text: "a"), ProductQuery(price: PriceRange(minimum: 20_000_000)),
      ProductQuery(since: Timestamp(seconds: 100)),
    ] + ofFields.prefix(2), Database.allCases)
  func `many products come in their order to the end, by cursor and by number`(
    query: ProductQuery, _ database: Database
  ) async throws {
    let market = try await ManyProducts(database)

    for order in [ProductOrder.cheapest, .biggestDiscount] {
      var query = query
      query.order = order
      let products = try await market.store.following(query, by: 1_000)
      let sorted = products.sorted { left, right in
        Self.place(of: left, in: order).lexicographicallyPrecedes(Self.place(of: right, in: order))
      }

      try await expect(products.count, market.store.exactTotal(of: query))
      #expect(products.count > 10_000 && products.last?.isSoldOut == true)
      expect(products.map(\.id), sorted.map(\.id))
      let numbered = try await market.store.numbered(query, by: 997)
      expect(numbered.map(\.id), products.map(\.id))
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

  @Test(arguments: Database.allCases)
  func `a search has its products in the order of the list, wherever they are in it`(
    _ database: Database
  ) async throws {
    let market = try await ManyProducts(database)

    for order in ProductOrder.allCases {
      let listed = try await market.store.following(ProductQuery(order: order), by: 1_000)
      for text in ["hana", "hana 3", "자전거 hana 0", "ㅈㅈㄱ"] {
        let found = try await Set(
          market.store.following(ProductQuery(text: text), by: 1_000).map(\.id))
        let page = try await market.store.page(
          PageRequest(query: ProductQuery(text: text, order: order), size: 100))

        let expected = listed.map(\.id).filter(found.contains).prefix(100)
        expect(page.products.map(\.id), Array(expected), "\(text) \(order)")
      }
    }
  }

  @Test(arguments: Database.allCases)
  func `a search that is counted no further knows its last page`(_ database: Database) async throws
  {
    let market = try await ManyProducts(database)

    for (order, bound) in [(ProductOrder.newest, 1_000), (.cheapest, 1_000), (.newest, 10_000)] {
      let query = ProductQuery(text: "a", order: order)
      let total = try await market.store.exactTotal(of: query)
      let last = (total + 999) / 1_000
      var pages: [ProductPage] = []
      for number in last - 1...last + 1 {
        let request = PageRequest(
          query: query, position: .number(number), size: 1_000, countsExactly: bound == 10_000)
        pages.append(try await market.store.page(request))
      }

      #expect(total > 10_000)
      expect(pages.map(\.products.count), [1_000, total - 1_000 * (last - 1), 0])
      expect(pages.map { $0.next != nil }, [true, false, false])
      #expect(pages.allSatisfy { $0.total == .atLeast(bound) })
    }
  }

  @Test(arguments: Database.allCases)
  func `pages of what was counted before are the same with that count`(_ database: Database)
    async throws
  {
    let market = try await ManyProducts(database)

    for order in [ProductOrder.newest, .cheapest] {
      for filters in [[], [ProductFilter.inStock]] as [Set<ProductFilter>] {
        for text in ["a", "자전거", "nothing has this"] {
          let query = ProductQuery(text: text, order: order, filters: filters)
          let request = PageRequest(query: query, position: .number(2), size: 50)
          let total = try await market.store.exactTotal(of: query)
          var expected = try await market.store.page(request)
          expected.total = .exactly(total)

          try await expect(market.store.page(request, of: total), expected, "\(query)")
        }
      }
    }
  }

  @Test func `pages deep inside and searches of many finds hold the same products in both`()
    async throws
  {
    let file = try await ManyProducts(.sqlite)
    let database = try await ManyProducts(.postgres)

    for query in Self.queries {
      for number in [1, 2, 17, 120, 240] {
        let request = PageRequest(query: query, position: .number(number), size: 50)
        let expected = try await file.store.page(request)
        try await expect(database.store.page(request), expected, "\(request)")
        guard let next = expected.next else { continue }
        let following = PageRequest(query: query, position: next, size: 7)
        let rest = try await file.store.page(following)
        try await expect(database.store.page(following), rest, "\(following)")
      }
      let total = try await file.store.exactTotal(of: query)
      try await expect(database.store.exactTotal(of: query), total, "\(query)")
    }
  }

  /// Which find more than are counted, by the index of a field.
  private static let ofFields = ProductOrder.allCases.flatMap { order in
    var (near, chosen) = (ProductQuery(order: order), ProductQuery(order: order))
    near.place = "서울"
    chosen.choices[.category] = ["books", "music"]
    return [near, chosen]
  }

  private static let queries =
    ofFields
    + ["", "a", "자전거 a"].flatMap { text in
      ProductOrder.allCases.flatMap { order in
        [[], [ProductFilter.inStock, .reduced]].flatMap { filters in
          [[], [Seller.ID(rawValue: -3)]].map { seller in
            ProductQuery(text: text, order: order, filters: Set(filters), sellers: seller)
          }
        }
      }
    }
}
