import SQLiteKit
import StoreCore

/// Settings of a file while many products are inserted.
///
/// Every call throws the `StoreError` of its statement.
struct BulkInsertion {
  private let connection: SQLiteDatabase

  init(_ connection: SQLiteDatabase) {
    self.connection = connection
  }

  /// Makes bulk inserts cheap: a page cache of 16 MB for the indexes, which fits an import's 128 MB in
  /// all, no fsync before the end, and a search index that is merged once.
  ///
  /// A power failure may lose the last batches, and leaves the file intact. An empty file that no other
  /// connection has open gets the indexes of products at the end, and its search index is merged only
  /// then; after an interrupted run the next opening does both. In other files the settings of the search
  /// index remain after such a run: it has up to 32 segments, until the next bulk insert ends.
  func begin() throws(StoreError) {
    try connection.execute(
      """
      PRAGMA cache_size = -16384; PRAGMA wal_autocheckpoint = 65536;
      PRAGMA synchronous = NORMAL; PRAGMA secure_delete = OFF;
      """)
    var dropsIndexes = false
    if try connection.integer("SELECT 1 FROM product LIMIT 1") == nil {
      dropsIndexes = try connection.file.dropLateIndexes(of: .store)
    }
    try connection.configureIndex(dropsIndexes ? .allProducts : .manyProducts)
  }

  /// Restores the settings for single products, merges the search index into one segment, and checkpoints
  /// the WAL to disk.
  func end() throws(StoreError) {
    // Sorting the rows for the indexes takes as much memory again.
    try connection.execute("PRAGMA cache_size = -8192; PRAGMA shrink_memory;")
    try connection.assembleIndex()
    try connection.writing { () throws(StoreError) in
      try connection.file.makeLateIndexes(of: .store)
    }
    try connection.execute(
      """
      PRAGMA synchronous = FULL; PRAGMA secure_delete = ON;
      PRAGMA wal_checkpoint(TRUNCATE); PRAGMA cache_size = -2000;
      PRAGMA wal_autocheckpoint = 1000;
      """)
  }
}
