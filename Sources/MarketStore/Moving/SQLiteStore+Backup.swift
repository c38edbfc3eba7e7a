import Glibc
import MarketModel
import SQLiteKit
import StoreCore

extension SQLiteStore {
  /// The copy has everything that the file has.
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

  /// SQLite puts its files beside the one that a link leads to.
  package var ownFiles: [String] {
    var bases = [path]
    if let resolved = realpath(path, nil) {
      bases.append(String(cString: resolved))
      free(resolved)
    }
    return bases.flatMap { base in ["", "-wal", "-shm", "-journal"].map { base + $0 } }
  }
}
