import Expectations
import MarketModel
import PostgresTestSupport
import SQLiteKit
import StoreCore
import TestSupport
import Testing

@testable import MarketServer
@testable import PostgresStore

/// Limits of addresses, which several servers of one database keep together.
@Suite(.cluster) struct UseSharingTests {
  private static let hour: Int64 = 3_600_000_000_000
  private static let address: ClientNetwork = "192.0.2.1"

  private func ledger(_ store: PostgresMarketStore, at now: Int64 = 1_750_000_000)
    -> SharedRateLimiter
  {
    SharedRateLimiter(of: store, pause: .zero, now: { now })
  }

  @Test func `what an address uses at one server is used up at the other`() async throws {
    let store = try await TestCluster.emptyStore()
    let (here, there) = (ledger(store), ledger(store))

    for server in [here, there, here, there] {
      let seconds = await server.use(
        1, of: 4, each: Self.hour, .registrations, by: Self.address)
      expect(seconds, nil)
    }
    let refused = await here.use(1, of: 4, each: Self.hour, .registrations, by: Self.address)
    let other = await there.use(1, of: 4, each: Self.hour, .registrations, by: "192.0.2.2")
    let search = await there.use(1, of: 4, each: Self.hour, .searches, by: Self.address)

    // The database's clock goes on.
    #expect((840...900).contains(refused ?? 0))
    #expect(other == nil && search == nil)
  }

  @Test func `a server whose clock is ahead uses up no more than others`() async throws {
    let store = try await TestCluster.emptyStore()
    let (ahead, here) = (ledger(store, at: 1_750_003_600), ledger(store))

    _ = await ahead.use(1, of: 4, each: Self.hour, .registrations, by: Self.address)

    for _ in 1...3 {
      let seconds = await here.use(
        1, of: 4, each: Self.hour, .registrations, by: Self.address)
      expect(seconds, nil)
    }
    let refused = await here.use(1, of: 4, each: Self.hour, .registrations, by: Self.address)
    // The database's clock goes on.
    #expect((840...900).contains(refused ?? 0))
  }

  @Test func `a database that does not answer refuses nobody`() async throws {
    let cluster = try TestCluster()
    let address = try cluster.emptySchema()
    let store = try await PostgresMarketStore.open(at: address)
    let server = ledger(store)
    try cluster.run("DROP TABLE rate_limit", at: address)

    for _ in 1...4 {
      await expect(server.use(1, of: 4, each: Self.hour, .bytes, by: Self.address), nil)
    }

    await expect(server.use(1, of: 4, each: Self.hour, .bytes, by: Self.address), 900)
  }
}
