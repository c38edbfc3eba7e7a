internal import CSQLite
import Glibc
import Posix

/// Connection to a database file, for one actor at a time.
///
/// Prepared statements are cached, so SQL texts are constant and values are always parameters.
/// - Throws: every call throws the `StoreError` of its statement, and what its closure throws.
package final class SQLiteConnection {
  let database: OpaquePointer
  /// Time to wait for another connection's lock.
  private let busyMilliseconds: Int32
  /// Whether opening the file moved it out of WAL mode, for lack of shared memory.
  package let hasLeftWriteAheadLog: Bool
  private var statements = PreparedStatements<Statement>()

  /// Takes ownership of an open database.
  private init(
    owning database: OpaquePointer, busyMilliseconds: Int32, hasLeftWriteAheadLog: Bool = false
  ) {
    self.database = database
    self.hasLeftWriteAheadLog = hasLeftWriteAheadLog
    self.busyMilliseconds = busyMilliseconds
    sqlite3_busy_timeout(database, busyMilliseconds)
  }

  deinit {
    // The last statement that is released closes the database.
    sqlite3_close_v2(database)
  }

  /// Runs a script of statements without parameters.
  ///
  /// - Throws: the error of the first statement that fails; `.damaged` for SQLITE_ERROR.
  package func execute(_ script: String) throws(StoreError) {
    let code = sqlite3_exec(database, script, nil, nil, nil)
    guard code == SQLITE_OK else { throw StoreError(ofStatement: code) }
  }

  /// Runs one statement to its end and returns the number of rows that it changed.
  ///
  /// - Throws: `.conflict`, `.readOnly`, `.full`, `.constraint`, `.cancelled`, or another error of
  ///   `StoreError`; `.damaged` for SQLITE_ERROR.
  @discardableResult
  package func run(_ sql: SQL, _ values: SQLValue...) throws(StoreError) -> Int {
    try run(sql, values)
  }

  @discardableResult
  package func run(_ sql: SQL, _ values: [SQLValue]) throws(StoreError) -> Int {
    let statement = try bound(sql, values)
    defer { statement.reset() }
    while try statement.step() {}
    return Int(sqlite3_changes(database))
  }

  /// Returns all rows of a query, each as `body` reads it.
  package func all<Element>(
    _ sql: SQL, _ values: [SQLValue] = [],
    read body: (Row) throws(StoreError) -> Element
  ) throws(StoreError) -> [Element] {
    var elements: [Element] = []
    let statement = try bound(sql, values)
    defer { statement.reset() }
    while try statement.step() { elements.append(try body(Row(of: statement))) }
    return elements
  }

  /// Calls `body` with the rows of a query until it returns false.
  package func forEach(
    _ sql: SQL, _ values: [SQLValue] = [],
    read body: (Row) throws(StoreError) -> Bool
  ) throws(StoreError) {
    let statement = try bound(sql, values)
    defer { statement.reset() }
    while try statement.step() {
      guard try body(Row(of: statement)) else { return }
    }
  }

  /// Returns the first row of a query as `body` reads it; nil where there is none.
  package func first<Element>(
    _ sql: SQL, _ values: [SQLValue] = [],
    read body: (Row) throws(StoreError) -> Element
  ) throws(StoreError) -> Element? {
    let statement = try bound(sql, values)
    defer { statement.reset() }
    return try statement.step() ? try body(Row(of: statement)) : nil
  }

  /// Returns the first column of the first row; nil where there is no row.
  package func integer(_ sql: SQL, _ values: SQLValue...) throws(StoreError) -> Int64? {
    try first(sql, values) { row in row.integer(0) }
  }

  package static var libraryVersion: String { String(cString: sqlite3_libversion()) }

  /// Row id of the last insertion.
  package var lastInsertedKey: Int64 { sqlite3_last_insert_rowid(database) }

  /// Prepares a statement and binds its values; the caller has to reset it.
  ///
  /// - Throws: `.damaged` where a table or column is missing; another error of SQLite.
  package func bound(_ sql: SQL, _ values: [SQLValue]) throws(StoreError) -> Statement {
    let statement = try statement(sql)
    do {
      try statement.bind(values)
    } catch {
      statement.reset()
      throw error
    }
    return statement
  }

  private func statement(_ sql: SQL) throws(StoreError) -> Statement {
    if let cached = statements[sql] { return cached }
    let statement = try Statement(sql.text, on: database)
    statements[sql] = statement
    return statement
  }
}

// MARK: Opening

extension SQLiteConnection {
  package struct Options: Sendable {
    /// Whether a missing file is created, with mode 0600.
    package var createsFile: Bool
    /// Whether writing statements are refused (`query_only`).
    package var readsOnly: Bool
    /// Whether the file itself is opened read-only.
    package var opensForReading: Bool
    /// Whether a running statement is interrupted when its task is cancelled.
    package var stopsWhenCancelled: Bool
    /// Maximum wait for another connection's lock; then `.conflict` is thrown.
    package var busyMilliseconds: Int32
    /// Maximum size of the file in pages of 4 KB, beyond which `.full` is thrown; nil for no limit.
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

  /// Opens a database file, hardened against untrusted content: triggers and views are disabled, its
  /// schema cannot call functions with side effects, and pages are checked as they are read
  /// (https://www.sqlite.org/security.html).
  ///
  /// The path is never a URI. A file of WAL mode where no memory can be shared leaves that mode, and one in a
  /// folder that cannot be written to is read as one that does not change.
  ///
  /// - Throws: `.fileSystemLacks`; `.readOnlyFolder`; `.cannotOpen` with the system's message; `.foreign` for a device, pipe, folder or
  ///   single-byte file, or content that is no database; `.conflict`, `.readOnly` or another error of SQLite.
  package convenience init(
    opening path: String, _ options: Options
  ) throws(StoreError) {
    _ = Self.countsNoMemory
    let (database, hasLeft) = try DatabaseOpener(path, options).open()
    self.init(
      owning: database, busyMilliseconds: options.busyMilliseconds, hasLeftWriteAheadLog: hasLeft)
    try harden()
    if let pages = options.maximumPages { try execute("PRAGMA max_page_count = \(pages)") }
    // `synchronous` reads the schema, which a connection that only asks for a version does not need.
    try execute(options.readsOnly ? "PRAGMA query_only = 1" : "PRAGMA synchronous = FULL")
    if options.stopsWhenCancelled { stopWhenCancelled() }
  }

  /// Opens an empty in-memory database, which ends with the connection.
  ///
  /// - Throws: `.failed` with SQLite's code, as where memory is exhausted.
  package convenience init() throws(StoreError) {
    _ = Self.countsNoMemory
    var database: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
    let code = sqlite3_open_v2(":memory:", &database, flags, nil)
    guard code == SQLITE_OK, let database else { throw StoreError(code: code) }
    self.init(owning: database, busyMilliseconds: 0)
    try harden()
  }

  /// Disables SQLite's memory statistics, which take one lock for all threads and are not used;
  /// possible only before its first use.
  private static let countsNoMemory = CSQLite_count_no_memory() == SQLITE_OK

  private func harden() throws(StoreError) {
    let switches = [
      (SQLITE_DBCONFIG_DEFENSIVE, 1), (SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0),
      (SQLITE_DBCONFIG_ENABLE_TRIGGER, 0), (SQLITE_DBCONFIG_ENABLE_VIEW, 0),
      (SQLITE_DBCONFIG_DQS_DML, 0), (SQLITE_DBCONFIG_DQS_DDL, 0),
      (SQLITE_DBCONFIG_ENABLE_FKEY, 1),
    ]
    for (option, value) in switches {
      let code = CSQLite_configure(database, option, Int32(value))
      guard code == SQLITE_OK else { throw StoreError(code: code) }
    }
    // Limits beyond all rows of our own, as an untrusted schema may compute large values.
    sqlite3_limit(database, SQLITE_LIMIT_LENGTH, 64 << 20)
    sqlite3_limit(database, SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 1_000)
    try execute("PRAGMA cell_size_check = 1")
    try defineUnhex()
  }

  /// Defines `unhex(text)`, the bytes that hexadecimal digits stand for, which SQLite has since 3.41.
  private func defineUnhex() throws(StoreError) {
    let code = sqlite3_create_function_v2(
      database, "unhex", 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC, nil,
      { context, _, values in
        guard let text = sqlite3_value_text(values?[0]) else { return sqlite3_result_null(context) }
        let count = Int(sqlite3_value_bytes(values?[0])) / 2
        // Letters have bit 6, and are worth 9 more than their last four bits.
        func value(_ index: Int) -> UInt8 { text[index] & 15 + text[index] >> 6 * 9 }
        let bytes = (0..<count).map { value(2 * $0) << 4 | value(2 * $0 + 1) }
        CSQLite_result_blob(context, bytes, UInt64(count))
      }, nil, nil, nil)
    guard code == SQLITE_OK else { throw StoreError(code: code) }
  }

  /// Interrupts the running statement (`SQLITE_INTERRUPT`) when the current task is cancelled,
  /// checked every 2,000 VM instructions.
  ///
  /// The statement runs in that task, so no other call is affected.
  private func stopWhenCancelled() {
    sqlite3_progress_handler(database, 2_000, { _ in Task.isCancelled ? 1 : 0 }, nil)
  }

  /// Whether the file has a WAL, not a rollback journal.
  package var usesWriteAheadLog: Bool {
    get throws(StoreError) { try first("PRAGMA journal_mode") { $0.text(0) } == "wal" }
  }

  /// Switches the file to the write-ahead log, which needs exclusive access for a moment; a file whose
  /// file system shares no memory keeps its rollback journal.
  ///
  /// SQLite reports a lock of another connection at once, without the busy timeout, so that two
  /// programs opening a new file would collide; this retries until that timeout has passed.
  ///
  /// - Throws: `.conflict` where another connection kept its lock to the timeout; another error of
  ///   SQLite.
  package func useWriteAheadLog() throws(StoreError) {
    guard sharesMemory else { return }
    let pause: Int32 = 5
    for _ in 0..<max(1, busyMilliseconds / pause) {
      do throws(StoreError) {
        return try execute("PRAGMA journal_mode = WAL")
      } catch .conflict {
        usleep(UInt32(pause) * 1_000)
      } catch {
        throw error
      }
    }
    throw .conflict
  }
}

// MARK: Transactions

/// - Throws: every call throws the `StoreError` of its statement, and what its closure throws.
extension SQLiteConnection {
  /// Runs `body` in a read transaction, in which all statements see one state.
  package func reading<Result>(
    _ body: () throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    try transaction(begin: "BEGIN", body)
  }

  /// Runs `body` in a write transaction, flushed to disk when this returns; an error rolls it back.
  ///
  /// `shouldCommit` decides from the result whether to commit; false rolls back.
  ///
  /// - Throws: what `checkNotMoved()`, `run(_:_:)` or `body` throws.
  package func writing<Result>(
    committing shouldCommit: (Result) -> Bool = { _ in true },
    _ body: () throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    try checkNotMoved()
    return try transaction(begin: "BEGIN IMMEDIATE", committing: shouldCommit, body)
  }

  /// Checks that the file was not deleted or moved, as writes to it would be lost at the end of the
  /// program.
  ///
  /// - Throws: `.cannotOpen` with the message of `ENOENT` where it was.
  package func checkNotMoved() throws(StoreError) {
    var hasMoved: Int32 = 0
    let code = sqlite3_file_control(database, "main", SQLITE_FCNTL_HAS_MOVED, &hasMoved)
    if code == SQLITE_OK, hasMoved != 0 {
      throw .cannotOpen(SystemError(number: ENOENT).description)
    }
  }

  /// Runs `body` in a transaction, and rolls back after an error or where the result is not to be committed.
  private func transaction<Result>(
    begin: SQL, committing shouldCommit: (Result) -> Bool = { _ in true },
    _ body: () throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    try run(begin)
    do {
      let result = try body()
      if shouldCommit(result) { try run("COMMIT") } else { rollBack() }
      return result
    } catch {
      rollBack()
      throw error
    }
  }

  /// Some errors have already rolled back.
  private func rollBack() {
    guard sqlite3_get_autocommit(database) == 0 else { return }
    sqlite3_exec(database, "ROLLBACK", nil, nil, nil)
  }

  /// Copies a consistent state of the whole database, while other connections write
  /// (https://www.sqlite.org/backup.html).
  ///
  /// `path` is an empty file; `show` receives the progress, 0 to 1.
  ///
  /// - Throws: what opening `path` throws; `.full`, `.conflict` or another error of SQLite.
  package func backup(to path: String, show: (Double) -> Void) throws(StoreError) {
    let copy = try SQLiteConnection(opening: path, Options())
    // All pages belong to the state of this transaction.
    try reading { () throws(StoreError) in
      _ = try integer("SELECT count(*) FROM sqlite_schema")
      guard let backup = sqlite3_backup_init(copy.database, "main", database, "main") else {
        throw StoreError(code: sqlite3_extended_errcode(copy.database))
      }
      var code = SQLITE_OK
      while code == SQLITE_OK {
        code = sqlite3_backup_step(backup, 1_000)
        let total = Double(max(1, sqlite3_backup_pagecount(backup)))
        show(1 - Double(sqlite3_backup_remaining(backup)) / total)
      }
      sqlite3_backup_finish(backup)
      guard code == SQLITE_DONE else { throw StoreError(code: code) }
    }
  }
}
