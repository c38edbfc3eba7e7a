import MarketModel
import Posix
import SQLiteKit
import StoreCore

/// Id of a market's file, with the identity of the file that it was given to.
///
/// A copy has the same row but another file identity. The first write gives it an id of its own, so that
/// no two markets share one.
struct IdentityTable {
  private static let maxLocationLength = 256

  private let connection: SQLiteDatabase

  init(_ connection: SQLiteDatabase) {
    self.connection = connection
  }

  /// The stored row; the id is nil where it is invalid.
  /// - Throws: the statement's `StoreError`.
  func row() throws(StoreError) -> (id: MarketID?, location: String)? {
    try connection.first("SELECT text, location FROM market_id WHERE id = 1") { row in
      (MarketID(row.text(0, atMost: 64)), row.text(1, atMost: Self.maxLocationLength))
    }
  }

  /// Gives the file a new id where it is new or a copy; the caller opens the transaction.
  /// - Throws: `.cannotOpen` where the file's identity cannot be read.
  func settle(at path: String) throws(StoreError) {
    let location: String
    do throws(SystemError) { location = try FileIdentity(of: path).text } catch {
      throw .cannotOpen(error.description)
    }
    let row = try row()
    if row?.location == location, row?.id != nil { return }
    try connection.run(
      """
      INSERT INTO market_id (id, text, location) VALUES (1, ?, ?)
      ON CONFLICT (id) DO UPDATE SET text = excluded.text, location = excluded.location
      """,
      .text(MarketID.random().text), .text(location))
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
      return try IdentityTable(connection).row()?.id
    }
    await file.close()
    return id ?? nil
  }
}
