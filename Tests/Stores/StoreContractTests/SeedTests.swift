import Expectations
import MarketModel
import StoreCore
import TestSupport
import Testing
import TransferTestSupport

/// Products that come into a store all at once.
struct SeedTests {
  @Test(arguments: Database.allCases)
  func `seeded products share pictures, sellers and the password`(_ database: Database)
    async throws
  {
    let market = try await ContractMarket(database)
    let store = market.store

    for _ in 1...2 { try await store.seed(.mugs(6)) }

    let products = try await store.page(PageRequest()).products
    expect(products.map(\.name), (0..<12).reversed().map { "mug \($0 % 6)" })
    expect(products.map(\.created.seconds), (0..<12).reversed().map { $0 % 6 })
    expect(Set(products.map(\.seller.id)).count, 2)
    #expect(products.allSatisfy { !$0.seller.id.canSignIn })
    expect(Set(products.map(\.thumbnail)).count, 3)
    let thumbnail = try #require(products.first?.thumbnail)
    try await expect(store.bytes(of: thumbnail, .thumbnail).count, 1)
    let anyone = Author.seller(SellerIdentifier(secret: "anyone"))
    try await store.verify(Password("market"), for: products[3].id, by: .guest)
    try await store.verify(Password("market"), for: products[3].id, by: anyone)
    try market.expectConsistent()
  }

  @Test(arguments: Database.allCases)
  func `a product with an endless name can be given another`(
    _ database: Database
  ) async throws {
    let market = try await ContractMarket(database)
    var seed = try await SeedMarket.mugs(1)
    seed.products[0].pictures = ["0", "1", "2"]
    seed.products[0].name = "a" + String(repeating: "\u{301}", count: 20_000) + " mug"
    try await market.store.seed(seed)
    let id = try #require(try await market.store.page(PageRequest()).products.first).id

    _ = try await market.store.update(
      id, with: ProductPatch(name: "cup"), password: Password("market"), by: .guest,
      expecting: nil)

    for (text, count) in [("cup", 1), ("mug", 0)] {
      let page = try await market.store.page(PageRequest(query: ProductQuery(text: text)))
      #expect(page.products.count == count && page.total == .exactly(count))
    }
    try market.expectConsistent()
  }

  @Test(arguments: Database.allCases)
  func `generated products are the same for the same seed, in any database`(
    _ database: Database
  ) async throws {
    let sample = try await SeedMarket.mugs(1)
    var markets: [[ProductQuery: [Product]]] = []

    for database in [Database.sqlite, database] {
      let market = try await ContractMarket(database)
      try await market.store.generate(
        300, pictures: sample.pictures, passwordHash: sample.passwordHash
      ) { _ in }
      var found: [ProductQuery: [Product]] = [:]
      for query in [ProductQuery(), ProductQuery(text: "자전거"), ProductQuery(order: .cheapest)] {
        let page = try await market.store.page(PageRequest(query: query, size: 1_000))
        found[query] = page.products.map { product in
          var product = product
          product.created = Timestamp(seconds: 0)
          product.changed = product.created
          return product
        }
      }
      markets.append(found)
    }

    expect(markets[0], markets[1])
    expect(markets[0][ProductQuery()]?.count, 300)
    expect(markets[0][ProductQuery(text: "자전거")]?.isEmpty, false)
  }
}
