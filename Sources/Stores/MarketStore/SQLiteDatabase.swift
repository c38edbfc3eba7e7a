import MarketModel
import Posix
import SQLiteKit
import StoreCore

/// Connection to a market's file, used by one actor at a time.
package final class SQLiteDatabase {
  let file: SQLiteConnection

  /// Opens a market's file (`SQLiteConnection`).
  /// - Throws: `.cannotOpen`, `.readOnlyFolder`, `.foreign` or `.damaged`, as SQLite reports.
  package init(opening path: String, _ options: SQLiteConnection.Options) throws(StoreError) {
    file = try SQLiteConnection(opening: path, options)
  }

  package func forEach(
    _ sql: SQL, _ values: [SQLValue], read: (StoredRow) throws(StoreError) -> Bool
  ) throws(StoreError) {
    let statement = try file.bound(sql, values)
    defer { statement.reset() }
    while try statement.step() {
      guard try read(StoredRow(statement.row)) else { return }
    }
  }

  package func run(_ queries: [Query]) throws(StoreError) {
    for query in queries {
      try forEach(query.sql, query.values) { row throws(StoreError) in
        try query.read(row)
        return true
      }
    }
  }

  package func post(_ sql: SQL, _ values: [SQLValue]) throws(StoreError) {
    try file.run(sql, values)
  }

  package func count(_ sql: SQL, _ values: [SQLValue]) throws(StoreError) -> Int {
    try file.run(sql, values)
  }

  /// Does nothing: a writer has the whole file locked.
  package func lock(_ sql: SQL, _ values: [SQLValue]) {}

  /// Gives the file a new id where it is new or a copy; the caller opens the transaction.
  /// - Throws: `.cannotOpen` where the file's identity cannot be read.
  func assignID(ofFileAt path: String) throws(StoreError) {
    let location: String
    do throws(SystemError) { location = try FileIdentity(of: path).text } catch {
      throw .cannotOpen(error.description)
    }
    try identity.assignID(at: location)
  }
}

/// Settings of a file while many products are inserted.
///
/// - Throws: every call throws the `StoreError` of its statement.
extension SQLiteDatabase {
  /// Makes bulk inserts cheap: a page cache of 16 MB for the indexes, which fits an import's 128 MB in
  /// all, no fsync before the end, and a search index that is merged once.
  ///
  /// A power failure may lose the last batches, and leaves the file intact. An empty file that no other
  /// connection has open gets the indexes of products at the end, and its search index is merged only
  /// then; after an interrupted run the next opening does both. In other files the settings of the search
  /// index remain after such a run: it has up to 32 segments, until the next bulk insert ends.
  func beginBulk() throws(StoreError) {
    try file.execute(
      """
      PRAGMA cache_size = -16384; PRAGMA wal_autocheckpoint = 65536;
      PRAGMA synchronous = NORMAL; PRAGMA secure_delete = OFF;
      """)
    var dropsIndexes = false
    if try integer("SELECT 1 FROM product LIMIT 1") == nil {
      dropsIndexes = try file.dropLateIndexes(of: .store)
    }
    try configureIndex(dropsIndexes ? .allProducts : .manyProducts)
  }

  /// Lets a new file be filled without any fsync: a first start need not wait for a slow disk.
  ///
  /// Nothing moves from the WAL into the file meanwhile, so that after a power failure the file is empty or full.
  func beginFilling() throws(StoreError) {
    try file.execute("PRAGMA synchronous = OFF; PRAGMA wal_autocheckpoint = 0")
  }

  /// Flushes a filled file to disk.
  func endFilling() throws(StoreError) {
    try file.execute(
      """
      PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 1000;
      PRAGMA wal_checkpoint(TRUNCATE);
      """)
  }

  /// Restores the settings for single products, merges the search index into one segment, and checkpoints
  /// the WAL to disk.
  func endBulk() throws(StoreError) {
    // Sorting the rows for the indexes takes as much memory again.
    try file.execute("PRAGMA cache_size = -8192; PRAGMA shrink_memory;")
    try mergeIndex()
    try file.writing { () throws(StoreError) in try file.makeLateIndexes(of: .store) }
    try file.execute(
      """
      PRAGMA synchronous = FULL; PRAGMA secure_delete = ON;
      PRAGMA wal_checkpoint(TRUNCATE); PRAGMA cache_size = -2000;
      PRAGMA wal_autocheckpoint = 1000;
      """)
  }
}
