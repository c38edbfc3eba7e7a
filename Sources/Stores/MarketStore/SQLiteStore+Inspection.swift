import Glibc
import MarketModel
import Posix
import SQLiteKit
import StoreCore

extension SQLiteStore {
  /// Inspects a market's file without creating or changing it.
  ///
  /// - Throws: what `open(at:pictureProcessor:options:filledWith:)` throws.
  package static func inspect(at path: String) async throws(RepositoryError) -> StoreInspection {
    let newest = Schema.store.newestVersion
    let folder = Folder.containing(path)
    let mayMake = access(folder, W_OK | X_OK) == 0
    guard access(path, F_OK) == 0 else {
      let error = SystemError.last
      var status = stat()
      // A dangling symbolic link is not replaced by a new file.
      guard error.number == ENOENT, lstat(path, &status) != 0, access(folder, F_OK) == 0 else {
        throw .store(.cannotOpen(error.description))
      }
      return StoreInspection(.missing, version: newest, isWritable: mayMake)
    }
    let connection = StoreConnection(
      "inspection", path: path, options: SQLiteConnection.Options(readsOnly: true))
    let (state, version) = try await connection.use { database throws(StoreError) in
      (try database.file.state(of: .store), try database.file.version(of: .store))
    }
    await connection.close()
    let tables: StoreInspection.Tables =
      switch state {
      case .empty: .missing
      case .outdated: .outdated(version: Int(version))
      case .current: .current
      }
    return StoreInspection(tables, version: newest, isWritable: mayMake && access(path, W_OK) == 0)
  }
}
