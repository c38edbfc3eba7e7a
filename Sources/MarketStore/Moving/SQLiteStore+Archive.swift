import MarketModel
import SQLiteKit
import StoreCore

extension SQLiteStore {
  package func snapshot() async throws(RepositoryError) -> any MarketSnapshot {
    do {
      return try await StoreSnapshot(path: path)
    } catch {
      throw RepositoryError(error)
    }
  }
}
