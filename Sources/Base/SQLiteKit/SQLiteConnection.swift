internal import CSQLite
import Glibc
import Posix

/// One connection to a database file, to be used by one actor at a time.
///
/// Statements are compiled once and kept, so SQL is a constant text and never holds a value.
package final class SQLiteConnection {
  let database: OpaquePointer
  /// Time to wait for a lock of another connection.
  private let busyMilliseconds: Int32
  private var statements = PreparedStatements<Statement>()
  private let translate: (String) -> String

  /// Takes over an open database.
  private init(
    owning database: OpaquePointer, busyMilliseconds: Int32, translate: @escaping (String) -> String
  ) {
    self.database = database
    self.translate = translate
    self.busyMilliseconds = busyMilliseconds
    sqlite3_busy_timeout(database, busyMilliseconds)
  }

  deinit {
    // The statements that are released after this close the database as the last one goes.
    sqlite3_close_v2(database)
  }

  /// Runs a script of statements without parameters.
  package func execute(_ script: String) throws(DatabaseError) {
    let code = sqlite3_exec(database, script, nil, nil, nil)
    guard code == SQLITE_OK else { throw DatabaseError(ofStatement: code) }
  }

  /// Runs one statement to its end.
  ///
  /// Returns how many rows it inserted, changed or deleted.
  @discardableResult
  package func run(_ sql: SQL, _ values: SQLValue...) throws(DatabaseError) -> Int {
    try run(sql, values)
  }

  @discardableResult
  package func run(_ sql: SQL, _ values: [SQLValue]) throws(DatabaseError) -> Int {
    let statement = try bound(sql, values)
    defer { statement.reset() }
    while try statement.step() {}
    return Int(sqlite3_changes(database))
  }

  /// All rows of a query, each as `body` reads it.
  package func all<Element>(
    _ sql: SQL, _ values: [SQLValue] = [],
    read body: (Row) throws(DatabaseError) -> Element
  ) throws(DatabaseError) -> [Element] {
    var elements: [Element] = []
    let statement = try bound(sql, values)
    defer { statement.reset() }
    while try statement.step() { elements.append(try body(Row(of: statement))) }
    return elements
  }

  /// Goes through the rows of a query until `body` answers that it has seen enough.
  package func forEach(
    _ sql: SQL, _ values: [SQLValue] = [],
    read body: (Row) throws(DatabaseError) -> Bool
  ) throws(DatabaseError) {
    let statement = try bound(sql, values)
    defer { statement.reset() }
    while try statement.step() {
      guard try body(Row(of: statement)) else { return }
    }
  }

  /// The first row of a query as `body` reads it; nil where there is none.
  package func first<Element>(
    _ sql: SQL, _ values: [SQLValue] = [],
    read body: (Row) throws(DatabaseError) -> Element
  ) throws(DatabaseError) -> Element? {
    let statement = try bound(sql, values)
    defer { statement.reset() }
    return try statement.step() ? try body(Row(of: statement)) : nil
  }

  /// The first column of the first row; nil where there is no row.
  package func integer(_ sql: SQL, _ values: SQLValue...) throws(DatabaseError) -> Int64? {
    try first(sql, values) { row in row.integer(0) }
  }

  /// The key that the last insertion of a row was given.
  package var lastInsertedKey: Int64 { sqlite3_last_insert_rowid(database) }

  /// Prepares a statement and binds its values; the caller resets it.
  package func bound(_ sql: SQL, _ values: [SQLValue]) throws(DatabaseError) -> Statement {
    let statement = try statement(sql)
    do {
      try statement.bind(values)
    } catch {
      statement.reset()
      throw error
    }
    return statement
  }

  private func statement(_ sql: SQL) throws(DatabaseError) -> Statement {
    if let kept = statements[sql] { return kept }
    let statement = try Statement(translate(sql.text), on: database)
    statements[sql] = statement
    return statement
  }
}

// MARK: Opening

extension SQLiteConnection {
  /// Options with which a connection is opened.
  package struct Options: Sendable {
    /// Whether a file is made where there is none; it is readable by its owner alone.
    package var createsFile: Bool
    /// Whether statements that write are refused.
    package var readsOnly: Bool
    /// Whether the file itself is opened for reading alone, so that no statement could write to it.
    package var opensForReading: Bool
    /// Whether a running statement stops once the task that runs it is cancelled.
    package var stopsWhenCancelled: Bool
    /// Time to wait for a lock of another connection.
    package var busyMilliseconds: Int32
    /// Most pages of 4 KB that the file may have; nil is as many as the disk takes.
    package var maximumPages: Int?

    package init(
      createsFile: Bool = false, readsOnly: Bool = false, opensForReading: Bool = false,
      stopsWhenCancelled: Bool = false, busyMilliseconds: Int32 = 2_000, maximumPages: Int? = nil
    ) {
      self.createsFile = createsFile
      self.readsOnly = readsOnly
      self.opensForReading = opensForReading
      self.stopsWhenCancelled = stopsWhenCancelled
      self.busyMilliseconds = busyMilliseconds
      self.maximumPages = maximumPages
    }
  }

  /// Opens a database file, hardened against what a stranger may have put into it: its triggers
  /// and views do nothing, its schema calls no function with effects, and its pages are checked as
  /// they are read (https://www.sqlite.org/security.html).
  ///
  /// The path is never a URI. `translate` makes a statement's text one of SQLite. Throws
  /// `.cannotOpen` with the system's reason, or what SQLite answered.
  package convenience init(
    opening path: String, _ options: Options, translate: @escaping (String) -> String = { $0 }
  ) throws(DatabaseError) {
    _ = Self.countsNoMemory
    // "./" keeps a file called ":memory:" a file.
    let path = path.hasPrefix("/") ? path : "./" + path
    if options.createsFile { try Self.createFile(at: path) }
    try Self.checkKind(of: path)
    var database: OpaquePointer?
    let access = options.opensForReading ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE
    let flags = access | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
    let code = sqlite3_open_v2(path, &database, flags, nil)
    guard code == SQLITE_OK, let database else {
      let reason = database.map { sqlite3_system_errno($0) } ?? 0
      sqlite3_close_v2(database)
      guard code & 0xFF == SQLITE_CANTOPEN, reason != 0 else { throw DatabaseError(code: code) }
      throw .cannotOpen(SystemError(number: reason).description)
    }
    self.init(
      owning: database, busyMilliseconds: options.busyMilliseconds, translate: translate)
    try harden()
    if let pages = options.maximumPages { try execute("PRAGMA max_page_count = \(pages)") }
    // The other one reads the schema, which a connection that asks for a version alone does not need.
    try execute(options.readsOnly ? "PRAGMA query_only = 1" : "PRAGMA synchronous = FULL")
    if options.stopsWhenCancelled { stopWhenCancelled() }
  }

  /// Opens an empty database in memory, which goes with the connection.
  package convenience init() throws(DatabaseError) {
    _ = Self.countsNoMemory
    var database: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
    let code = sqlite3_open_v2(":memory:", &database, flags, nil)
    guard code == SQLITE_OK, let database else { throw DatabaseError(code: code) }
    self.init(owning: database, busyMilliseconds: 0) { $0 }
    try harden()
  }

  /// SQLite counts its memory under one lock for all threads unless it is told not to, before its first
  /// use; nobody asks for the count.
  private static let countsNoMemory = CSQLite_count_no_memory() == SQLITE_OK

  /// Makes an empty file of mode 0600; an existing one stays as it is.
  ///
  /// SQLite gives the files it puts beside it (-wal, -shm) the same mode. `O_EXCL` follows no
  /// symbolic link, so that nobody can choose where the new file lies.
  private static func createFile(at path: String) throws(DatabaseError) {
    let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    if descriptor >= 0 {
      close(descriptor)
    } else if errno != EEXIST {
      throw .cannotOpen(SystemError.last.description)
    }
  }

  /// Only a plain file is opened: SQLite would wait at a pipe, and report a device in numbers.
  ///
  /// One of a single byte is somebody's as well, though SQLite takes it for an empty one.
  private static func checkKind(of path: String) throws(DatabaseError) {
    var status = stat()
    // SQLite takes paths apart by itself, and finds files that the system does not.
    guard stat(path, &status) == 0 else { throw .cannotOpen(SystemError.last.description) }
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
    sqlite3_limit(database, SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 1_000)
    try execute("PRAGMA cell_size_check = 1")
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

// MARK: Transactions

extension SQLiteConnection {
  /// Runs a body that reads, so that all its statements see one state of the database.
  package func reading<Result>(
    _ body: () throws(DatabaseError) -> Result
  ) throws(DatabaseError) -> Result {
    try transaction(begin: "BEGIN", body)
  }

  /// Runs a body that writes; all it did is on the disk when this returns, or nothing at all.
  ///
  /// `isKept` says whether what led to a result is to stay; else it is undone.
  package func writing<Result>(
    keeping isKept: (Result) -> Bool = { _ in true },
    _ body: () throws(DatabaseError) -> Result
  ) throws(DatabaseError) -> Result {
    try checkPlace()
    return try transaction(begin: "BEGIN IMMEDIATE", keeping: isKept, body)
  }

  /// What is written to a file that was deleted or moved away would be gone with the program.
  package func checkPlace() throws(DatabaseError) {
    var hasMoved: Int32 = 0
    let code = sqlite3_file_control(database, "main", SQLITE_FCNTL_HAS_MOVED, &hasMoved)
    if code == SQLITE_OK, hasMoved != 0 {
      throw .cannotOpen(SystemError(number: ENOENT).description)
    }
  }

  /// Runs a body between begin and commit, unless it throws or its result is not to be kept.
  private func transaction<Result>(
    begin: SQL, keeping isKept: (Result) -> Bool = { _ in true },
    _ body: () throws(DatabaseError) -> Result
  ) throws(DatabaseError) -> Result {
    try run(begin)
    do {
      let result = try body()
      if isKept(result) { try run("COMMIT") } else { rollBack() }
      return result
    } catch {
      rollBack()
      throw error
    }
  }

  /// Some errors have rolled back by themselves, and then there is nothing left to do.
  private func rollBack() {
    guard sqlite3_get_autocommit(database) == 0 else { return }
    sqlite3_exec(database, "ROLLBACK", nil, nil, nil)
  }

  /// Copies the whole database as it is at this moment, while others go on writing
  /// (https://www.sqlite.org/backup.html).
  ///
  /// `path` is an empty file, and a whole database when this returns; `show` is told how much of it is
  /// done, 0 to 1.
  package func backup(to path: String, show: (Double) -> Void) throws(DatabaseError) {
    let copy = try SQLiteConnection(opening: path, Options())
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
