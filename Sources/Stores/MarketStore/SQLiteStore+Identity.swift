import MarketModel
import Posix
import SQLiteKit
import StoreCore

extension SQLiteDatabase {
  /// Gives the file a new id where it is new or a copy; the caller opens the transaction.
  /// - Throws: `.cannotOpen` where the file's identity cannot be read.
  func identify(at path: String) throws(StoreError) {
    let location: String
    do throws(SystemError) { location = try FileIdentity(of: path).text } catch {
      throw .cannotOpen(error.description)
    }
    try identity.settle(at: location)
  }
}

extension SQLiteStore {
  /// The id of a market's file, which is opened briefly; nil where there is no such file, or it has none.
  package static func marketID(ofFileAt path: String) async -> MarketID? {
    let file = StoreConnection(
      "identity", path: path,
      options: SQLiteConnection.Options(readsOnly: true, busyMilliseconds: 200))
    let id = try? await file.use { connection throws(StoreError) in
      guard try connection.file.state(of: .store) == .current else { throw .foreign }
      return try connection.identity.row()?.id
    }
    await file.close()
    return id ?? nil
  }
}
