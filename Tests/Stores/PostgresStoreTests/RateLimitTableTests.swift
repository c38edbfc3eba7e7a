import Expectations
import MarketModel
import PostgresTestSupport
import SQLiteKit
import StoreCore
import Testing

@testable import PostgresStore

@Suite(.cluster) struct RateLimitTableTests {
  private static let hour: Int64 = 3_600_000_000_000

  @Test func `what is free again is forgotten`() async throws {
    let (_, address) = try await TestCluster.emptyMarket()
    let connection = try PostgresConnection(to: address)
    for (number, cost) in [1, 1, Self.hour].enumerated() {
      let use = RateLimitUsage(of: .searches, by: "192.0.2.\(number)", cost: cost)
      #expect(try (0...cost).contains(connection.add(use, deletingExpired: false)))
    }

    let late = RateLimitUsage(of: .searches, by: "192.0.2.9", cost: Self.hour)
    #expect(try (1...Self.hour).contains(connection.add(late, deletingExpired: true)))

    let count = try connection.run("SELECT count(*) FROM rate_limit").first?.integer(0)
    expect(count, 2)
  }
}
