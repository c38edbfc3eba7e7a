internal import CSQLite
import Glibc

extension Connection {
  /// How a connection is opened.
  package struct Options: Sendable {
    /// Whether a file is made where there is none; it is readable by its owner alone.
    package var createsFile: Bool
    /// Whether statements that write are refused.
    package var readsOnly: Bool
    /// Whether a running statement stops once the task that runs it is cancelled.
    package var stopsWhenCancelled: Bool
    /// How long to wait for a lock of another connection.
    package var busyMilliseconds: Int32
    /// Most pages of 4 KB that the file may have; nil is as many as the disk takes.
    package var maximumPages: Int?

    package init(
      createsFile: Bool = false, readsOnly: Bool = false, stopsWhenCancelled: Bool = false,
      busyMilliseconds: Int32 = 2_000, maximumPages: Int? = nil
    ) {
      self.createsFile = createsFile
      self.readsOnly = readsOnly
      self.stopsWhenCancelled = stopsWhenCancelled
      self.busyMilliseconds = busyMilliseconds
      self.maximumPages = maximumPages
    }
  }

  /// Opens a database file, hardened against what a stranger may have put into it: its triggers
  /// and views do nothing, its schema calls no function with effects, and its pages are checked as
  /// they are read (https://www.sqlite.org/security.html).
  ///
  /// - Parameters:
  ///   - path: the file; never a URI.
  ///   - options: see there.
  /// - Throws: `.cannotOpen` with the system's reason, or what SQLite answered.
  package convenience init(opening path: String, _ options: Options) throws(DatabaseError) {
    // "./" keeps a file called ":memory:" a file.
    let path = path.hasPrefix("/") ? path : "./" + path
    if options.createsFile { try Self.createFile(at: path) }
    try Self.checkKind(of: path)
    var database: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
    let code = sqlite3_open_v2(path, &database, flags, nil)
    guard code == SQLITE_OK, let database else {
      let reason = database.map { sqlite3_system_errno($0) } ?? 0
      sqlite3_close_v2(database)
      guard code & 0xFF == SQLITE_CANTOPEN, reason != 0 else { throw DatabaseError(code: code) }
      throw .cannotOpen(String(cString: strerror(reason)))
    }
    self.init(owning: database, busyMilliseconds: options.busyMilliseconds)
    try harden()
    if let pages = options.maximumPages { try execute("PRAGMA max_page_count = \(pages)") }
    if options.readsOnly { try execute("PRAGMA query_only = 1") }
    if options.stopsWhenCancelled { stopWhenCancelled() }
  }

  /// Makes an empty file of mode 0600; an existing one stays as it is.
  ///
  /// SQLite gives the files it puts beside it (-wal, -shm) the same mode. `O_EXCL` follows no
  /// symbolic link, so that nobody can choose where the new file lies.
  private static func createFile(at path: String) throws(DatabaseError) {
    let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    if descriptor >= 0 {
      close(descriptor)
    } else if errno != EEXIST {
      throw .cannotOpen(String(cString: strerror(errno)))
    }
  }

  /// Only a plain file is opened: SQLite would wait at a pipe, and report a device in numbers.
  ///
  /// One of a single byte is somebody's as well, though SQLite takes it for an empty one.
  private static func checkKind(of path: String) throws(DatabaseError) {
    var status = stat()
    guard stat(path, &status) == 0 else { return }
    if status.st_mode & S_IFMT != S_IFREG || status.st_size == 1 { throw .foreign }
  }

  private func harden() throws(DatabaseError) {
    let switches = [
      (SQLITE_DBCONFIG_DEFENSIVE, 1), (SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0),
      (SQLITE_DBCONFIG_ENABLE_TRIGGER, 0), (SQLITE_DBCONFIG_ENABLE_VIEW, 0),
      (SQLITE_DBCONFIG_DQS_DML, 0), (SQLITE_DBCONFIG_DQS_DDL, 0),
      (SQLITE_DBCONFIG_ENABLE_FKEY, 1),
    ]
    for (option, value) in switches {
      let code = CSQLite_configure(database, option, Int32(value))
      guard code == SQLITE_OK else { throw DatabaseError(code: code) }
    }
    // More than any row of ours has, and patterns that end soon: a stranger's schema computes too.
    sqlite3_limit(database, SQLITE_LIMIT_LENGTH, 64 << 20)
    sqlite3_limit(database, SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 100)
    try execute("PRAGMA cell_size_check = 1; PRAGMA synchronous = FULL;")
  }

  /// Asks between two steps of SQLite's machine whether the running task is cancelled; the
  /// statement runs inside that task, so no other call can be hit.
  private func stopWhenCancelled() {
    sqlite3_progress_handler(database, 2_000, { _ in Task.isCancelled ? 1 : 0 }, nil)
  }

  /// Switches the file to the write-ahead log, which needs it alone for a moment.
  ///
  /// SQLite answers at once that another connection has it, without the usual wait; two programs that
  /// open a new file together would meet here.
  func useWriteAheadLog() throws(DatabaseError) {
    let pause: Int32 = 5
    for _ in 0..<max(1, busyMilliseconds / pause) {
      do throws(DatabaseError) {
        return try execute("PRAGMA journal_mode = WAL")
      } catch .busy {
        usleep(UInt32(pause) * 1_000)
      } catch {
        throw error
      }
    }
    throw .busy
  }
}
