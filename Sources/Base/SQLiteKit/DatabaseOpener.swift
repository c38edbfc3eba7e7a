internal import CSQLite
import Glibc
import Posix

/// Opening of a database file on file systems with and without shared memory, locks and write access.
struct DatabaseOpener {
  private let path: String
  private let options: SQLiteConnection.Options

  init(_ path: String, _ options: SQLiteConnection.Options) {
    // "./" prevents that a file called ":memory:" opens an in-memory database.
    self.path = path.hasPrefix("/") ? path : "./" + path
    self.options = options
  }

  /// Opens the file, and reads its header, which opens the WAL as well; also returns whether the file left
  /// WAL mode.
  ///
  /// - Throws: what `SQLiteConnection.init(opening:_:)` throws.
  func open() throws(StoreError) -> (database: OpaquePointer, hasLeftWriteAheadLog: Bool) {
    _ = Self.tellsMissingLocks
    if options.createsFile { try createFile() }
    try checkKind()
    let access = options.opensForReading ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE
    do throws(StoreError) {
      return (try database(at: path, access), false)
    } catch .fileSystemLacks(.sharedMemory) where !options.opensForReading {
      try leaveWriteAheadLog()
      return (try database(at: path, access), true)
    } catch {
      guard mayBeImmutable(after: error) else { throw error }
      // The latest changes are in the WAL, which only a writer can move into the file.
      guard !hasWriteAheadLog else { throw .readOnlyFolder }
      let flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
      return (try database(at: immutableURI, flags), false)
    }
  }

  private func database(
    at name: String, _ access: Int32, running script: String = "PRAGMA user_version"
  ) throws(StoreError) -> OpaquePointer {
    var database: OpaquePointer?
    let flags = access | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
    let code = sqlite3_open_v2(name, &database, flags, nil)
    guard code == SQLITE_OK, let database else {
      let reason = database.map { sqlite3_system_errno($0) } ?? 0
      sqlite3_close_v2(database)
      guard code & 0xFF == SQLITE_CANTOPEN, reason != 0 else { throw StoreError(code: code) }
      throw .cannotOpen(SystemError(number: reason).description)
    }
    sqlite3_busy_timeout(database, options.busyMilliseconds)
    let answer = sqlite3_exec(database, script, nil, nil, nil)
    guard answer == SQLITE_OK else {
      sqlite3_close_v2(database)
      throw StoreError(code: answer)
    }
    return database
  }

  /// Moves the WAL into the file under a lock of the whole file, which needs no shared memory
  /// (https://www.sqlite.org/wal.html, "Use of WAL Without Shared-Memory").
  private func leaveWriteAheadLog() throws(StoreError) {
    let script = "PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = DELETE"
    sqlite3_close_v2(try database(at: path, SQLITE_OPEN_READWRITE, running: script))
  }

  /// Whether the file may be readable where no file can be written beside it.
  private func mayBeImmutable(after error: StoreError) -> Bool {
    switch error {
    case .fileSystemLacks(.sharedMemory), .readOnlyFolder: true
    case .cannotOpen: access(Folder.containing(Folder.realPath(of: path)), W_OK) != 0
    default: false
    }
  }

  private var hasWriteAheadLog: Bool {
    var status = stat()
    return stat(Folder.realPath(of: path) + "-wal", &status) == 0 && status.st_size > 0
  }

  /// URI of a file that does not change, which SQLite reads without locks and without files beside it
  /// (https://www.sqlite.org/uri.html, "immutable").
  private var immutableURI: String {
    let escaped = path.utf8.map { byte in
      let digits = String(byte, radix: 16)
      return byte == UInt8(ascii: "/") ? "/" : "%" + (digits.count == 1 ? "0" : "") + digits
    }
    return "file:" + escaped.joined() + "?immutable=1"
  }

  /// Tells missing locks (ENOLCK) from those of another program, which SQLite takes for the same.
  private static let tellsMissingLocks = CSQLite_tell_missing_locks() == SQLITE_OK

  /// Creates an empty file of mode 0600; an existing one stays as it is.
  ///
  /// SQLite gives its other files (-wal, -shm) the same mode. `O_EXCL` follows no symbolic link, so
  /// that a link cannot redirect the new file.
  private func createFile() throws(StoreError) {
    let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    if descriptor >= 0 {
      close(descriptor)
    } else if errno != EEXIST {
      throw .cannotOpen(SystemError.last.description)
    }
  }

  /// Allows regular files only: SQLite would wait at a pipe, and report a device as a number.
  ///
  /// A file of a single byte is refused, too, though SQLite treats it as an empty database.
  private func checkKind() throws(StoreError) {
    var status = stat()
    // SQLite resolves paths by itself, and finds files that the system does not.
    guard stat(path, &status) == 0 else { throw .cannotOpen(SystemError.last.description) }
    if status.st_mode & S_IFMT != S_IFREG || status.st_size == 1 { throw .foreign }
  }
}
