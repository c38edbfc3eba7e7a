import Expectations
import MarketModel
import StoreCore
import TestSupport
import Testing

/// The name that an operator gives a market, over both databases.
struct MarketNameTests {
  @Test(arguments: Database.allCases)
  func `a name is kept with the market, for all that open it`(_ database: Database) async throws {
    let market = try await ContractMarket(database)
    try await expect(market.store.capabilities(), .full)

    try await market.store.setMarketName("벼룩시장")
    let other = try await market.opened()
    try await expect(other.capabilities().marketName, "벼룩시장")

    try await other.setMarketName(nil)
    try await expect(market.store.capabilities(), .full)
  }

  @Test(arguments: Database.allCases)
  func `a name that somebody forged is cut`(_ database: Database) async throws {
    let market = try await ContractMarket(database)
    _ = try await market.store.register(.sample())
    let long = String(repeating: "x", count: 10_000)
    try market.run("UPDATE market_id SET name = '\(long)'")

    try await expect(market.store.capabilities().marketName?.count, 60)
  }
}
