import Expectations
import MarketModel
import StoreCore
import TestSupport
import Testing

/// Intents to register, which stores remember for 30 days.
struct RegistrationTests {
  private static let day: Int64 = 86_400

  @Test(arguments: Database.allCases)
  func `a key registers nothing twice for 30 days, and is forgotten then`(_ database: Database)
    async throws
  {
    let clock = SecondsClock()
    let market = try await ContractMarket(database, MarketOptions(now: { clock.seconds }))
    let key = IdempotencyKey(rawValue: "an intent")
    func registerOthers() async throws {
      for _ in 0..<64 { _ = try await market.store.register(.sample()) }
    }

    let first = try await market.store.register(.sample(), by: .guest, key: key)
    clock.seconds += 29 * Self.day
    try await registerOthers()
    let soon = try await market.store.register(.sample(), by: .guest, key: key)
    clock.seconds += 2 * Self.day
    try await registerOthers()
    let late = try await market.store.register(.sample(), by: .guest, key: key)

    #expect(soon.id == first.id && late.id != first.id)
  }

  @Test(arguments: Database.allCases)
  func `one intent that reaches several programs at once registers once`(_ database: Database)
    async throws
  {
    let market = try await ContractMarket(database, openedAtOnceBy: 3)
    let (stores, key) = (market.stores, IdempotencyKey(rawValue: "one intent"))
    let newSeller = Author.seller(SellerIdentifier(secret: "new"))

    let ids = try await withThrowingTaskGroup(of: Product.ID.self) { group in
      for store in stores + stores {
        group.addTask { try await store.register(.sample(), by: newSeller, key: key).id }
      }
      return try await group.reduce(into: Set()) { $0.insert($1) }
    }

    expect(ids.count, 1)
    try await expect(market.store.page(PageRequest()).total, .exactly(1))
  }
}
