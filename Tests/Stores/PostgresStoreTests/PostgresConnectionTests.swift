import Expectations
import PostgresTestSupport
import SQLiteKit
import StoreCore
import TestSupport
import Testing

@testable import PostgresStore

/// What an address says of connections, and to which of its hosts they lead.
@Suite(.cluster) struct PostgresConnectionTests {
  @Test func `a host from which nothing comes back keeps nobody from the next one`() async throws {
    let cluster = try #require(TestCluster.shared)
    let (first, second) = (
      try DatabaseRelay(before: cluster), try DatabaseRelay(before: cluster)
    )
    first.fallSilent()
    let hosts = [first, second].map { $0.address.split(separator: ":") }
    let pairs = [
      "@\(first.address),\(second.address)/postgres?",
      "@/postgres?host=\(hosts[0][0]),\(hosts[1][0])&port=\(hosts[0][1]),\(hosts[1][1])&",
    ]

    for pair in pairs {
      let start = ContinuousClock.now
      let connection = try PostgresConnection(
        to: "postgresql://market\(pair)connect_timeout=50",
        PostgresOptions(timeoutMilliseconds: 5_000))
      expect(connection.parameter("port"), String(hosts[1][1]))
      #expect(ContinuousClock.now - start < .seconds(20))
    }
  }

  @Test func `the host that was right goes first, and one that refuses is passed at once`() throws {
    let cluster = try #require(TestCluster.shared)
    let relay = try DatabaseRelay(before: cluster)
    var options = PostgresOptions(timeoutMilliseconds: 5_000)
    options.preferred = PreferredHost()

    _ = try PostgresConnection(
      to: "postgresql://market@127.0.0.1:1,\(relay.address)/postgres", options)

    expect(options.preferred?.host, 1)
  }

  @Test(arguments: [
    ("@a/market", true), ("@a,b/market", false), ("@a,b/market?target_session_attrs=primary", true),
    ("@a,b/market?target_session_attrs=read-write", true),
    ("@a/market?target_session_attrs=standby", false),
    ("@/market?host=a,b&target_session_attrs=prefer-standby", false),
  ])
  func `an address says whether it leads to the one server that takes writes`(
    address: String, leads: Bool
  ) {
    expect(PostgresAddress("postgresql://market" + address).leadsToPrimary, leads)
  }

  @Test func `a role with room for one connection serves all that ask`() async throws {
    let cluster = try TestCluster()
    let address = try cluster.emptySchema()
    _ = try await PostgresMarketStore.open(at: address)
    try cluster.run("CREATE ROLE few LOGIN SUPERUSER", at: address)
    try cluster.run("CREATE ROLE one LOGIN CONNECTION LIMIT 1", at: address)
    let pool = ConnectionPool(
      "few", count: 4, to: address.replacing("market@", with: "one@"),
      options: PostgresOptions(timeoutMilliseconds: 30_000))

    let count = await withTaskGroup(of: Bool.self) { group in
      for _ in 1...16 {
        group.addTask {
          let answer = try? await pool.retrying { connection throws(StoreError) in
            try connection.run("SELECT 1::bigint").first?.integer(0)
          }
          return answer == 1
        }
      }
      return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }

    expect(count, 16)
  }

  @Test(arguments: [
    ("", "connect_timeout", "3"), ("&connect_timeout=17", "connect_timeout", "17"),
    ("", "tcp_user_timeout", "6000"), ("&tcp_user_timeout=0", "tcp_user_timeout", "0"),
    ("&keepalives=0", "keepalives", "0"), ("&keepalives_idle=7", "keepalives_idle", "7"),
    ("&application_name=shop", "application_name", "shop"),
    ("&client_encoding=LATIN1", "client_encoding", "UTF8"),
  ])
  func `what the address says of its connections counts`(
    addition: String, name: String, value: String
  ) throws {
    let address = try #require(TestCluster.shared).emptySchema() + addition
    let connection = try PostgresConnection(to: address)

    expect(connection.parameter(name), value)
  }
}
