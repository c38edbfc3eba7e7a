import Expectations
import MarketModel
import StoreCore
import TestSupport
import Testing

/// Sellers of many products who get another name.
struct SellerTests {
  private static let identifier = SellerIdentifier(secret: "renamed")

  /// Brings in so many lamps of one seller, *Oldname*.
  private func fill(_ store: any StoredMarket, _ count: Int) async throws {
    let price = try #require(Price(full: Money(hundredths: 100, currency: .krw)))
    let hash = try await PasswordHasher(cost: .least).hash(Password("secret"))
    let seller = ArchivedSeller(
      id: nil, name: "Oldname", identifierHash: SellerKey(Self.identifier).hash)
    let products = (1...count).map { number in
      ArchivedProduct(
        seller: seller, name: "Lamp \(number)", price: price, stock: 1, created: 0, changed: 0,
        passwordHash: hash)
    }
    try await expect(store.take(products), count)
  }

  @Test(arguments: Database.allCases)
  func `a new name is on all products at once, and all are found by it before long`(
    _ database: Database
  ) async throws {
    let market = try await ContractMarket(database)
    try await fill(market.store, 700)
    let other = try await market.opened()
    try await expect(market.store.count(finding: "oldname"), 700)
    let version = try #require(await other.presentDataVersion())
    let start = try await other.changes(after: nil, atMost: 1).cursor

    let renamed = try await market.store.rename(Self.identifier, to: "Newname")
    let listed = try await market.store.register(.sample(), by: .seller(Self.identifier))
    let shown = try await market.store.page(PageRequest(size: 1_000)).products
    let foundAtOnce = try await market.store.count(finding: "newname")
    try await other.renewNames()

    #expect(renamed.name == "Newname" && listed.product.seller == renamed)
    #expect(shown.count == 701 && shown.allSatisfy { $0.seller == renamed })
    #expect(foundAtOnce >= SellerNameIndex.productsAtOnce)
    try await expect(other.count(finding: "newname"), 701)
    try await expect(other.count(finding: "oldname"), 0)
    // So that no cached response shows the old name.
    #expect(await other.askedDataVersion() != version)
    let changes = try await other.changes(after: start, atMost: 10).changes
    expect(changes.filter { $0 == .seller(renamed.id) }.count, 2)
  }

  @Test(arguments: Database.allCases)
  func `whatever several programs edit meanwhile is found by the new name`(
    _ database: Database
  ) async throws {
    let market = try await ContractMarket(database)
    try await fill(market.store, 700)
    let servers = [market.store, try await market.opened(), try await market.opened()]

    _ = try await market.store.rename(Self.identifier, to: "Newname")
    try await withThrowingTaskGroup(of: Void.self) { group in
      for server in servers { group.addTask { try await server.renewNames() } }
      for number in 1...20 {
        group.addTask {
          let (server, id) = (servers[number % 3], Product.ID(rawValue: Int64(number * 30)))
          guard number % 5 > 0 else {
            _ = try await server.remove(id)
            return
          }
          _ = try await server.update(
            id, with: ProductPatch(name: "Edited"), password: Password("secret"),
            by: .seller(Self.identifier), expecting: nil)
        }
      }
      try await group.waitForAll()
    }

    for (text, count) in [("newname", 696), ("oldname", 0), ("edited newname", 16)] {
      try await expect(market.store.count(finding: text), count, "\(text)")
    }
  }

  @Test(arguments: Database.allCases)
  func `of names that follow one another the last one is found, and no other`(
    _ database: Database
  ) async throws {
    let market = try await ContractMarket(database)
    try await fill(market.store, 120)

    for number in 1...3 { _ = try await market.store.rename(Self.identifier, to: "Name\(number)") }
    try await market.store.renewNames()

    for (text, count) in [("oldname", 0), ("name1", 0), ("name2", 0), ("name3", 120)] {
      try await expect(market.store.count(finding: text), count, "\(text)")
    }
  }
}
