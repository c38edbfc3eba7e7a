internal import CSQLite

extension Connection {
  /// Copies the whole database as it is at this moment, while others go on writing
  /// (https://www.sqlite.org/backup.html).
  ///
  /// - Parameters:
  ///   - path: an empty file; it is a whole database when this returns.
  ///   - show: told how much of it is done, 0 to 1.
  /// - Throws: what SQLite answered.
  package func backUp(to path: String, show: (Double) -> Void) throws(DatabaseError) {
    let copy = try Connection(opening: path, Options())
    // All pages come from one state of the database: that of this transaction.
    try reading { () throws(DatabaseError) in
      _ = try integer("SELECT count(*) FROM sqlite_schema")
      guard let backup = sqlite3_backup_init(copy.database, "main", database, "main") else {
        throw DatabaseError(code: sqlite3_extended_errcode(copy.database))
      }
      var code = SQLITE_OK
      while code == SQLITE_OK {
        code = sqlite3_backup_step(backup, 1_000)
        let total = Double(max(1, sqlite3_backup_pagecount(backup)))
        show(1 - Double(sqlite3_backup_remaining(backup)) / total)
      }
      sqlite3_backup_finish(backup)
      guard code == SQLITE_DONE else { throw DatabaseError(code: code) }
    }
  }
}
