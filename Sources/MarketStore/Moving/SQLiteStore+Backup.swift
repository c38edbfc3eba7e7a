import MarketModel
import SQLiteKit

extension SQLiteStore {
  /// Copies the market as it is at this moment with everything that it holds, while it is in use.
  ///
  /// - Parameters:
  ///   - path: an empty file; it is a market file when this returns.
  ///   - show: told how much of it is done, 0 to 1.
  /// - Throws: `.store` with the reason.
  package func backUp(
    to path: String, show: @escaping @Sendable (Double) -> Void
  ) async throws(RepositoryError) {
    let source = StoreConnection(
      "backup", path: self.path, options: Connection.Options(readsOnly: true))
    do {
      try await source.use { connection throws(DatabaseError) in
        try connection.backUp(to: path, show: show)
      }
    } catch {
      throw RepositoryError(error)
    }
  }
}
