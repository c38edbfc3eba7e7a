import MarketModel
import SQLiteKit

extension SQLiteStore: MarketArchive {
  package func snapshot() async throws(RepositoryError) -> any MarketSnapshot {
    do {
      return try await StoreSnapshot(path: path)
    } catch {
      throw RepositoryError(error)
    }
  }

  package func beginImport() async throws(RepositoryError) -> any MarketImport {
    let highest = try await write { connection throws(DatabaseError) in
      try connection.beginBulk()
      return try connection.integer("SELECT seq FROM sqlite_sequence WHERE name = 'product'")
    }
    return StoreImport(into: self, after: highest ?? 0)
  }
}
