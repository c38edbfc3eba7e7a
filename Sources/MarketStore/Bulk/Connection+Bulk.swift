import SQLiteKit
import StoreCore

extension Connection {
  /// Makes the writing of many products cheap: memory that keeps the indexes at hand, no waiting for
  /// the disk before the end, and a search index that is put together once.
  ///
  /// A power cut may take the last portions with it, and leaves the file whole. The settings of the
  /// search index are in the file: after a run that was cut short it is in up to 32 pieces, until the
  /// next one ends.
  func beginBulk() throws(DatabaseError) {
    try execute(
      """
      PRAGMA cache_size = -262144; PRAGMA wal_autocheckpoint = 131072;
      PRAGMA synchronous = NORMAL; PRAGMA secure_delete = OFF;
      """)
    try configureSearch(["hashsize": 64 << 20, "automerge": 16, "crisismerge": 32])
  }

  /// Goes back to what suits single products, makes one segment of the search index, and has all of
  /// it on the disk when it returns.
  func endBulk() throws(DatabaseError) {
    try run("INSERT INTO product_search (product_search) VALUES ('optimize')")
    try configureSearch(["hashsize": 1 << 20, "automerge": 4, "crisismerge": 16])
    try execute(
      """
      PRAGMA synchronous = FULL; PRAGMA secure_delete = ON;
      PRAGMA wal_checkpoint(TRUNCATE); PRAGMA cache_size = -2000;
      PRAGMA wal_autocheckpoint = 1000;
      """)
  }

  /// Sets options of FTS5 (https://www.sqlite.org/fts5.html#special_insert_commands), and the size
  /// in bytes at which what is in memory becomes a segment.
  private func configureSearch(_ options: KeyValuePairs<StaticString, Int64>) throws(DatabaseError)
  {
    for (name, value) in options {
      try run("INSERT INTO product_search (product_search, rank) VALUES ('\(name)', \(value))")
    }
  }
}
