import Expectations
import MarketModel
import PostgresTestSupport
import StoreCore
import TestSupport
import Testing

@testable import PostgresStore

/// The id of a market in a database, through copies, restored dumps and missing rights.
@Suite(.cluster) struct TablesIdentityTests {
  private let cluster: TestCluster

  init() throws {
    cluster = try TestCluster()
  }

  private func address(of database: String, as role: String) -> String {
    "postgresql://\(role)@/\(database)?host=\(cluster.folder)"
  }

  /// A database with a market in it; its address, and the market's id.
  private func make(_ name: String) async throws -> (address: String, id: MarketID) {
    let address = try cluster.database(name)
    let store = try await PostgresMarketStore.open(at: address)
    _ = try await store.register(.sample())
    return (address, try #require(try await store.marketID()))
  }

  /// Lets a role do with the tables what a server does.
  private func allow(_ role: String, at address: String) throws {
    for sql in [
      "CREATE ROLE \(role) LOGIN", "GRANT USAGE ON SCHEMA public TO \(role)",
      "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO \(role)",
    ] { try cluster.run(sql, at: address) }
  }

  @Test func `servers that start at once have one id, which stays over restarts`() async throws {
    let address = try cluster.database("shared")
    let ids = try await withThrowingTaskGroup(of: MarketID?.self) { group in
      for _ in 1...4 {
        group.addTask { try await PostgresMarketStore.open(at: address).ownMarketID() }
      }
      return try await group.reduce(into: Set()) { $0.insert($1) }
    }

    try cluster.restart()

    #expect(ids.count == 1 && ids.first != .some(nil))
    try await expect(PostgresMarketStore.open(at: address).ownMarketID(), ids.first)
  }

  @Test
  func `a restored dump and a copy are markets of their own, and the first stays what it was`()
    async throws
  {
    let (address, id) = try await make("first")
    let dumped = try cluster.database("dumped")
    try cluster.restore(dumpOf: "first", into: "dumped")
    // A template must not be in use.
    try cluster.restart()
    let copied = try cluster.database("copied", "TEMPLATE first")

    var ids = [id]
    for other in [dumped, copied] {
      let store = try await PostgresMarketStore.open(at: other)
      try await expect(store.page(PageRequest()).total, .exactly(1))
      ids.append(try #require(try await store.ownMarketID()))
      try await expect(PostgresMarketStore.open(at: other).ownMarketID(), ids.last)
    }

    expect(Set(ids).count, 3)
    try await expect(PostgresMarketStore.open(at: address).ownMarketID(), id)
  }

  @Test func `a copy that may not be written to goes on under the id that it has`() async throws {
    let (_, id) = try await make("first")
    let copy = try cluster.database("copied")
    try cluster.restore(dumpOf: "first", into: "copied")
    try cluster.run("ALTER DATABASE copied SET default_transaction_read_only = on", at: copy)

    try await expect(PostgresMarketStore.open(at: copy).ownMarketID(), id)
    let beside = try cluster.database("beside")
    try cluster.run("ALTER DATABASE copied RESET ALL", at: beside)

    #expect(try await PostgresMarketStore.open(at: copy).ownMarketID() != id)
  }

  @Test(arguments: ["INSERT, UPDATE, DELETE", "ALL"])
  func `a role without rights on the id serves all the same`(rights: String) async throws {
    let (_, id) = try await make("first")
    let copy = try cluster.database("copied")
    try cluster.restore(dumpOf: "first", into: "copied")
    try allow("serving", at: copy)
    try cluster.run("REVOKE \(rights) ON market_id FROM serving", at: copy)

    let store = try await PostgresMarketStore.open(at: address(of: "copied", as: "serving"))

    try await expect(store.page(PageRequest()).total, .exactly(1))
    _ = try await store.register(.sample())
    let own = try? await store.ownMarketID()
    expect(own, rights == "ALL" ? nil : id)
  }

  @Test func `servers of which one may not ask for the cluster's number agree on the id`()
    async throws
  {
    let (address, id) = try await make("first")
    try allow("serving", at: address)
    try cluster.run("REVOKE EXECUTE ON FUNCTION pg_control_system() FROM PUBLIC", at: address)

    let limited = try await PostgresMarketStore.open(at: self.address(of: "first", as: "serving"))

    try await expect(limited.ownMarketID(), id)
    try await expect(PostgresMarketStore.open(at: address).ownMarketID(), id)
  }

  @Test(arguments: [
    ("7-5-1", "7-5-1", true), ("0-5-1", "7-5-1", true), ("7-5-1", "0-5-1", true),
    ("8-5-1", "7-5-1", false), ("7-6-1", "7-5-1", false), ("0-5-2", "7-5-1", false), ("", "", true),
    ("", "7-5-1", false),
  ])
  func `a place is the same where its numbers are, or the cluster's is not known`(
    location: String, other: String, isSame: Bool
  ) {
    expect(TablesIdentity.isSame(location, other), isSame)
  }
}
