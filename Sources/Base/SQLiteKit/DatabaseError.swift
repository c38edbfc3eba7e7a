internal import CSQLite

/// Failure of a database, by what a caller can do about it.
///
/// See https://www.sqlite.org/rescode.html.
package enum DatabaseError: Error, Hashable, Sendable {
  /// Another connection holds a lock for longer than the busy time-out.
  case busy
  case readOnly
  /// The file may be readable, but not without writing beside it (https://www.sqlite.org/wal.html,
  /// "Read-Only Databases").
  case readOnlyFolder
  /// The disk, or the largest size that the file may have, is reached.
  case full
  /// The file is a database, but its content contradicts itself.
  case damaged
  /// The file is no database, or a database of another program.
  case foreign
  /// A newer version of the program wrote it.
  case newerVersion
  /// The reason as the system words it.
  case cannotOpen(String)
  /// The task that asked was cancelled.
  case cancelled
  /// A constraint of the schema refused a row; the extended result code says which kind.
  case constraint(code: Int32)
  /// Anything else, with its extended result code.
  case failed(code: Int32)

  init(code: Int32) {
    // SQLITE_READONLY_CANTINIT and SQLITE_READONLY_DIRECTORY, which Swift does not see.
    let needsFolder = [5, 6].contains(code >> 8)
    // SQLITE_IOERR_SHMOPEN and _SHMSIZE: the log's index beside the file (-shm) finds no room.
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

  /// The failure of a statement of the program's own.
  ///
  /// Its text is sound, so SQLite's general error means that the file is not: a table or a column is
  /// missing, or a sum of what is stored overflows.
  init(ofStatement code: Int32) {
    self = code == SQLITE_ERROR ? .damaged : DatabaseError(code: code)
  }
}
