import MarketModel
import StoreCore

extension PostgresStore {
  package func snapshot() async throws(RepositoryError) -> any MarketSnapshot {
    try await begunSnapshot()
  }

  func begunSnapshot() async throws(RepositoryError) -> PostgresSnapshot {
    let snapshot = PostgresSnapshot(of: address, connections.options)
    try await snapshot.begin()
    return snapshot
  }
}
