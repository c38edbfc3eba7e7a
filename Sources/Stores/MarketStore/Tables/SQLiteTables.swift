import MarketModel
import SQLiteKit
import StoreCore
import TextCoding

/// The tables of a market's file, over one connection.
package struct SQLiteTables: MarketTables {
  let connection: SQLiteConnection

  package var products: ProductQueries { ProductQueries(connection) }
  package var changes: ProductChanges { ProductChanges(connection) }
  package var registrations: Registrations { Registrations(connection) }
  package var sellers: Sellers { Sellers(connection) }
  package var pictures: Pictures { Pictures(connection) }
  package var attempts: PasswordAttemptRows { PasswordAttemptRows(connection) }
  package var arrivals: ImportWriter { ImportWriter(connection) }
  package var log: LogTable { LogTable(connection) }
  var pages: PageQueries { PageQueries(connection) }
  var searches: SearchQueries { SearchQueries(connection) }
  var archive: ArchiveReader { ArchiveReader(connection) }

  init(_ connection: SQLiteConnection) {
    self.connection = connection
  }

  package func storedBytes() throws(DatabaseError) -> Int64 {
    let pages = try connection.integer("PRAGMA page_count") ?? 0
    let free = try connection.integer("PRAGMA freelist_count") ?? 0
    return (pages - free) * (try connection.integer("PRAGMA page_size") ?? 0)
  }

  package func serverKey() throws(DatabaseError) -> [UInt8] {
    try connection.run(
      "INSERT OR IGNORE INTO server_key (id, bytes) VALUES (1, ?)", .blob(ServerSignature.newKey()))
    let key = try connection.first("SELECT bytes FROM server_key") { row in
      row.bytes(0, atMost: 1_024) ?? []
    }
    return key ?? []
  }

  package func marketID() throws(DatabaseError) -> MarketID? {
    try IdentityTable(connection).row()?.id
  }

  package func renewIndex(
    below: Int64, tokenizer grams: ProductGrams
  ) throws(DatabaseError) -> IndexRenewal {
    try LegacyFolding(connection).renew(grams)
  }

  /// Looks whether the file is where it was, and holds a market.
  func checkReadiness() throws(DatabaseError) {
    try connection.checkPlace()
    _ = try connection.integer("SELECT count(*) FROM server_key")
  }

  /// Whether the last number of a table was given, as only a forged file says; SQLite then reports
  /// that the file is full.
  var hasSpentNumbers: Bool {
    let spent = try? connection.integer(
      "SELECT 1 FROM sqlite_sequence WHERE seq > ?", .integer(StoredNumbers.counts.upperBound))
    return spent != nil
  }
}

extension Row: StoredRow {}

extension Optional {
  /// The value that a `StoredRow` could read; the file is damaged where it could not.
  func orDamaged() throws(DatabaseError) -> Wrapped {
    guard let self else { throw .damaged }
    return self
  }
}

extension Schema {
  /// The tables of a market file; the scripts are in `Resources/schema`.
  static let store = Schema(
    // "OMkt" in ASCII.
    applicationID: 0x4F4D_6B74,
    migrations: ResourceFile.texts("schema/store", ".sql"), late: "product_")
}
