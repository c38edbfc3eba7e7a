import MarketModel
import Posix
import SQLiteKit
import StoreCore

/// The id of a market's file, beside the place of the file that it was given to.
///
/// A copy has the same row at another place. Who writes to it first gives it an id of its own, so that
/// never two markets go on under one id.
struct IdentityTable {
  private static let maxPlaceLength = 256

  private let connection: SQLiteDatabase

  init(_ connection: SQLiteDatabase) {
    self.connection = connection
  }

  /// What the file says; the id is nil where it is none.
  func row() throws(StoreError) -> (id: MarketID?, location: String)? {
    try connection.first("SELECT text, place FROM market_id WHERE id = 1") { row in
      (MarketID(row.text(0, atMost: 64)), row.text(1, atMost: Self.maxPlaceLength))
    }
  }

  /// Gives the file at a path an id where it has none of its own; stands in a transaction.
  func settle(at path: String) throws(StoreError) {
    let location: String
    do throws(SystemError) { location = try FileIdentity(of: path).text } catch {
      throw .cannotOpen(error.description)
    }
    let row = try row()
    if row?.location == location, row?.id != nil { return }
    try connection.run(
      """
      INSERT INTO market_id (id, text, place) VALUES (1, ?, ?)
      ON CONFLICT (id) DO UPDATE SET text = excluded.text, place = excluded.place
      """,
      .text(MarketID.random().text), .text(location))
  }
}

extension SQLiteStore {
  /// The id of a market's file that is looked at for a moment; nil where there is no such file, or it
  /// has none.
  package static func marketID(ofFileAt path: String) async -> MarketID? {
    let file = StoreConnection(
      "identity", path: path,
      options: SQLiteConnection.Options(readsOnly: true, busyMilliseconds: 200))
    let id = try? await file.use { connection throws(StoreError) in
      let state = try connection.use { file throws(DatabaseError) in try file.state(of: .store) }
      guard state == .current else { throw .foreign }
      return try IdentityTable(connection).row()?.id
    }
    await file.close()
    return id ?? nil
  }
}
