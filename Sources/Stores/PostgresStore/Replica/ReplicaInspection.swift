import MarketModel
import SQLiteKit
import StoreCore

/// Result of inspecting a standby.
package enum ReplicaInspection: Hashable, Sendable {
  /// The standby replayed the market's state within this time.
  case follows(after: Duration)
  /// The standby did not replay the market's state within the maximum age of data.
  case lags
  /// The server is no standby, or is behind a pooler or load balancer.
  case followsNobody
  case otherMarket
  case silent(RepositoryError)
}

extension PostgresReplica {
  private static let pollingPause = Duration.milliseconds(20)

  /// Inspects a standby of the market at another address without changing anything; nil where the market
  /// itself does not answer, or has no tables.
  package static func inspect(
    at address: String, following store: String
  ) async -> ReplicaInspection? {
    let (market, replica) = (pool(to: store), pool(to: address))
    let began = ContinuousClock.now
    let found = try? await market.use { connection throws(StoreError) in
      (
        id: try? connection.identity.row()?.id, state: try connection.replicationState()
      )
    }
    guard let found, let state = found.state else { return nil }
    while true {
      let isOther: Bool
      let report: ReplicationProgress.Report?
      do {
        (isOther, report) = try await replica.use { connection throws(StoreError) in
          let id = try? connection.identity.row()?.id
          return (
            id != nil && found.id != nil && id != found.id,
            try connection.replicationReport(on: [state])
          )
        }
      } catch {
        return .silent(RepositoryError(error))
      }
      if isOther { return .otherMarket }
      let age = ContinuousClock.now - began
      guard let report else { return .followsNobody }
      if report.has(state) { return .follows(after: age) }
      guard report.position != nil else { return .followsNobody }
      guard age < ReplicaStaleness.limit, !Task.isCancelled else { return .lags }
      try? await Task.sleep(for: pollingPause)
    }
  }

  private static func pool(to address: String) -> ConnectionPool {
    ConnectionPool(
      "inspection", count: 1, to: address,
      options: PostgresOptions(timeoutMilliseconds: PostgresMarketStore.inspectionMilliseconds))
  }
}
