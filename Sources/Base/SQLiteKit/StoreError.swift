internal import CSQLite

/// Failure of a database, by what a caller can do about it (https://www.sqlite.org/rescode.html;
/// PostgreSQL, appendix "PostgreSQL Error Codes").
package enum StoreError: Error, Hashable, Sendable {
  /// The database does not answer, or the connection was lost; an uncommitted transaction is undone.
  case disconnected(String)
  /// The connection was lost during a commit, which may have happened or not.
  case commitUnknown
  /// Another transaction was in the way, for longer than the busy timeout of a file; the same
  /// transaction may be run again.
  case conflict
  /// The statement or the wait for the database took longer than its limit.
  case timedOut
  /// The calling task was cancelled.
  case cancelled
  /// The disk is full, or the file has its maximum size.
  case full
  case readOnly
  /// The file may be readable, but not without writing beside it (https://www.sqlite.org/wal.html,
  /// "Read-Only Databases").
  case readOnlyFolder
  /// The file's file system lacks what a database needs.
  case fileSystemLacks(FileSystemPart)
  /// Stored data contradicts itself or cannot be read.
  case damaged
  /// The file is no database, or a database of another program.
  case foreign
  /// A newer version of the program made the tables.
  case newerVersion
  /// A version of the program before its first release made the tables.
  case beforeFirstRelease
  /// The reason as the system or the database words it.
  case cannotOpen(String)
  /// The database keeps texts in this encoding, not in UTF-8.
  case otherEncoding(String)
  /// A constraint of a file's schema refused a row: SQLite's extended result code.
  case constraint(code: Int32)
  /// Anything else: SQLite's extended result code, or PostgreSQL's five characters as a number.
  case failed(code: Int32)

  init(code: Int32) {
    // SQLITE_READONLY_CANTINIT and SQLITE_READONLY_DIRECTORY, which Swift does not see.
    let needsFolder = [5, 6].contains(code >> 8)
    // SQLITE_IOERR_SHMOPEN and _SHMSIZE: no space for the WAL index (-shm).
    let isWithoutRoom = [18, 19].contains(code >> 8)
    // SQLITE_IOERR_LOCK and _RDLOCK: errors other than a lock of another program.
    let isWithoutLocks = [15, 9].contains(code >> 8)
    // SQLITE_IOERR_SHMMAP: the file of the WAL index cannot be mapped.
    let isWithoutMaps = code >> 8 == 21
    switch code & 0xFF {
    case SQLITE_READONLY where needsFolder: self = .readOnlyFolder
    case SQLITE_BUSY, SQLITE_LOCKED: self = .conflict
    case SQLITE_READONLY: self = .readOnly
    case SQLITE_FULL: self = .full
    case SQLITE_IOERR where isWithoutRoom: self = .full
    case SQLITE_IOERR where isWithoutLocks: self = .fileSystemLacks(.locks)
    case SQLITE_IOERR where isWithoutMaps: self = .fileSystemLacks(.sharedMemory)
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
    self = code == SQLITE_ERROR ? .damaged : StoreError(code: code)
  }
}

/// What a file system may lack: of 9p, vboxsf and some FUSE or network mounts.
package enum FileSystemPart: Sendable {
  /// POSIX locks (fcntl(2), `F_SETLK`).
  case locks
  /// Memory shared through a file (mmap(2), `MAP_SHARED`).
  case sharedMemory
}

extension StoreError {
  /// SQLSTATE codes are five digits and capital letters.
  private static let radix = 36

  package static func failed(state: String) -> StoreError {
    .failed(code: Int32(state, radix: radix) ?? 0)
  }

  /// The error in a shared database, where one invalid row affects no others: `.damaged` becomes
  /// PostgreSQL's `data_corrupted`.
  package var ofDatabase: StoreError { self == .damaged ? .failed(state: "XX001") : self }
}
