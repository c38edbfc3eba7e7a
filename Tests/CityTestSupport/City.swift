import PostgresTestSupport
import TestSupport

/// Several servers on one database behind nginx, all of it thrown away afterwards.
package final class City: Sendable {
  private let cluster: TestCluster
  package let servers: [CityServer]
  private let proxy: CityProxy

  package static var isPossible: Bool { TestCluster.isPossible && CityProxy.isPossible }

  /// What to do where it is not possible.
  package static let hint = TestCluster.isPossible ? CityProxy.hint : TestCluster.hint

  /// Starts the database, then all servers at once on nothing, then nginx.
  package init(serverCount: Int = 3) throws {
    cluster = try TestCluster()
    servers = try CityServer.start(serverCount, store: cluster.emptySchema())
    proxy = try CityProxy(before: servers.map(\.address))
  }

  /// Where to reach them all.
  package var address: String { proxy.address }

  /// Cuts all connections of the database and starts it again.
  package func restartDatabase() throws { try cluster.restart() }
}
