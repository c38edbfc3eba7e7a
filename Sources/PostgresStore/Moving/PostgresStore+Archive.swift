import MarketModel
import MarketStore

extension PostgresStore: MarketArchive {
  package func snapshot() async throws(RepositoryError) -> any MarketSnapshot {
    try await begunSnapshot()
  }

  func begunSnapshot() async throws(RepositoryError) -> PostgresSnapshot {
    let snapshot = PostgresSnapshot(of: address, connections.options)
    try await snapshot.begin()
    return snapshot
  }

  package func beginImport() async throws(RepositoryError) -> any MarketImport {
    let highest = try await read(connections) { connection throws(PostgresError) in
      try connection.highestProductID()
    }
    return PostgresImport(into: self, after: highest)
  }
}
