internal import CSQLite

/// Error of a database, by what a caller can do about it (https://www.sqlite.org/rescode.html).
package enum DatabaseError: Error, Hashable, Sendable {
  /// Another connection held a lock for longer than the busy timeout.
  case busy
  case readOnly
  /// The file may be readable, but SQLite has to create files beside it
  /// (https://www.sqlite.org/wal.html, "Read-Only Databases").
  case readOnlyFolder
  /// The disk is full, or the file has its maximum size.
  case full
  /// The file is a corrupt database.
  case damaged
  /// The file is no database, or one of another program.
  case foreign
  /// Written by a newer version of the program.
  case newerVersion
  /// Written by a version of the program before its first release.
  case beforeFirstRelease
  /// The file cannot be opened: the system's message.
  case cannotOpen(String)
  /// The calling task was cancelled.
  case cancelled
  /// A constraint of the schema refused a row; the extended result code tells which kind.
  case constraint(code: Int32)
  /// Any other error, with its extended result code.
  case failed(code: Int32)

  init(code: Int32) {
    // SQLITE_READONLY_CANTINIT and SQLITE_READONLY_DIRECTORY, which Swift does not see.
    let needsFolder = [5, 6].contains(code >> 8)
    // SQLITE_IOERR_SHMOPEN and _SHMSIZE: no space for the WAL index (-shm).
    let isWithoutRoom = [18, 19].contains(code >> 8)
    switch code & 0xFF {
    case SQLITE_READONLY where needsFolder: self = .readOnlyFolder
    case SQLITE_BUSY, SQLITE_LOCKED: self = .busy
    case SQLITE_READONLY: self = .readOnly
    case SQLITE_FULL: self = .full
    case SQLITE_IOERR where isWithoutRoom: self = .full
    case SQLITE_CORRUPT, SQLITE_MISMATCH, SQLITE_TOOBIG: self = .damaged
    case SQLITE_NOTADB: self = .foreign
    case SQLITE_CANTOPEN: self = .cannotOpen(String(cString: sqlite3_errstr(code)))
    case SQLITE_INTERRUPT: self = .cancelled
    case SQLITE_CONSTRAINT: self = .constraint(code: code)
    default: self = .failed(code: code)
    }
  }

  /// Error of one of the program's own statements.
  ///
  /// Their text is valid, so SQLITE_ERROR means a damaged file: a table or column is missing, or a
  /// sum of stored values overflows.
  init(ofStatement code: Int32) {
    self = code == SQLITE_ERROR ? .damaged : DatabaseError(code: code)
  }
}
