import Expectations
import MarketModel
import StoreCore
import TestSupport
import Testing

/// A search index whose folding is another one than the program's.
struct IndexRenewalTests {
  private static let later = MarketOptions(tokenizer: .later)

  private func awaitIndex(of store: any StoredMarket) async {
    await poll { store.indexing.present == nil }
  }

  @Test(arguments: Database.allCases)
  func `a program with a later folding finds all products by it`(_ database: Database) async throws
  {
    let market = try await ContractMarket(database)
    let hash = try await PasswordHasher(cost: .least).hash(Password("renewal"))
    let first = try await market.store.register(.sample(name: "Café Müller")).id
    // More than are renewed at once.
    try await market.store.generate(1_200, pictures: [], passwordHash: hash) { _ in }
    let last = try await market.store.register(.sample(name: "Cup")).id
    let mugs = try await market.store.count(finding: "머그")

    let later = try await market.opened(Self.later)
    await awaitIndex(of: later)

    try await expect(later.count(finding: "kafé"), 1)
    try await expect(later.count(finding: "Cafe muller"), 1)
    #expect(try await later.count(finding: "kup") > 0)
    try await expect(later.count(finding: "머그"), mugs)
    for id in [first, last] { _ = try await later.remove(id) }
    try await expect(later.count(finding: "kafe"), 0)
    try market.expectConsistent()
  }

  @Test(arguments: Database.allCases)
  func `programs that open it at once renew it together`(_ database: Database) async throws {
    let market = try await ContractMarket(database)
    let hash = try await PasswordHasher(cost: .least).hash(Password("renewal"))
    try await market.store.generate(1_200, pictures: [], passwordHash: hash) { _ in }
    let id = try await market.store.register(.sample(name: "Café")).id

    var stores: [any StoredMarket] = []
    for _ in 1...3 { stores.append(try await market.opened(Self.later)) }
    for store in stores { await awaitIndex(of: store) }

    for store in stores {
      let page = try await store.page(PageRequest(query: ProductQuery(text: "kafe")))
      expect(page.products.map(\.id), [id])
    }
  }

  @Test(arguments: Database.allCases)
  func `what is written after it is found as well, and an earlier folding renews nothing`(
    _ database: Database
  ) async throws {
    let market = try await ContractMarket(database)
    let first = try await market.store.register(.sample(name: "Café")).id
    let later = try await market.opened(Self.later)
    await awaitIndex(of: later)

    let second = try await later.register(.sample(name: "Café")).id
    _ = try await later.update(
      first, with: ProductPatch(name: "Cocoa"), password: Password("secret"), by: .guest,
      expecting: nil)
    let earlier = try await market.opened()

    expect(earlier.indexing.present, nil)
    let found = try await later.page(PageRequest(query: ProductQuery(text: "kafe")))
    expect(found.products.map(\.id), [second])
    try await expect(later.count(finding: "kokoa"), 1)
    try market.expectConsistent()
  }

  @Test(arguments: Database.allCases)
  func `a seller who was renamed is found by the new name`(
    _ database: Database
  ) async throws {
    let market = try await ContractMarket(database)
    let identifier = SellerIdentifier(secret: "renamed")
    let count = SellerNameIndex.productsAtOnce + 20
    for _ in 1...count {
      _ = try await market.store.register(.sample(name: "mug"), by: .seller(identifier))
    }
    _ = try await market.store.rename(identifier, to: "Cocoa House")
    try await market.store.renewNames()

    let later = try await market.opened(Self.later)
    await awaitIndex(of: later)

    try await expect(later.count(finding: "kokoa"), count)
    try market.expectConsistent()
  }
}
