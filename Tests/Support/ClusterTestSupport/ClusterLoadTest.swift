import PostgresTestSupport
import TestSupport

/// Several servers on one database behind nginx, all of it thrown away afterwards.
package final class ClusterLoadTest: Sendable {
  private let cluster: TestCluster
  package let servers: [ClusterServer]
  private let proxy: ClusterProxy

  package static var isPossible: Bool { TestCluster.isPossible && ClusterProxy.isPossible }

  /// What to do where it is not possible.
  package static let hint = TestCluster.isPossible ? ClusterProxy.hint : TestCluster.hint

  /// Starts the database, then all servers at once on nothing, then nginx.
  package init(serverCount: Int = 3) throws {
    cluster = try TestCluster()
    servers = try ClusterServer.start(serverCount, store: cluster.emptySchema())
    proxy = try ClusterProxy(before: servers.map(\.address))
  }

  /// Where to reach them all.
  package var address: String { proxy.address }

  /// Cuts all connections of the database and starts it again.
  package func restartDatabase() throws { try cluster.restart() }
}
