import Dispatch
import DispatchBridge
import Glibc
import MarketModel
import Posix
import SQLiteKit
import TextCoding

/// A user's favorites, alerts, searches and history, in one private file that all running programs share.
///
/// It is opened on first use, on a queue of its own. Where it cannot be used nothing is stored, and the
/// reason is reported once.
package actor PersonalFile: PersonalDataStore {
  /// Maximum numbers of rows; tests lower them.
  package struct Limits: Sendable {
    package var savedSearches: Int64 = 500
    /// Favorite products and sellers of all markets together.
    package var products: Int64 = 100_000
    package var sellers: Int64 = 10_000
    /// Products whose details were opened, of all markets together; beyond it the oldest are deleted.
    package var viewedProducts: Int64 = 500
    /// Products that were on the screen, of all markets together; beyond it the oldest are deleted.
    package var seenProducts: Int64 = 100_000
    /// Past prices, of all products together; beyond it the oldest are deleted.
    package var pastPrices: Int64 = 100_000
    /// Known products of a seller or a search for one alert; beyond it the oldest are no longer followed.
    package var alertProducts: Int64 = 200_000

    package init() {}
  }

  private enum State {
    case closed
    case open(SQLiteConnection)
    /// Nothing can be stored in this run.
    case unusable
  }

  /// Maximum length in bytes of a location, search, name of a favorite and note.
  static let maxTextLength = 4 << 10
  /// Maximum number of products in one call: more than any screen shows.
  static let maxAtOnce = 1_000

  private let executor = QueueExecutor(label: "market.personal", qos: .utility)
  /// Nil stores everything in memory.
  private let path: String?
  private(set) lazy var visitor = makeVisitor()
  private let makeVisitor: @Sendable () -> VisitProcess
  let now: @Sendable () -> Timestamp
  private let busyMilliseconds: Int32
  private let maximumPages: Int?
  let limits: Limits
  private let report: @Sendable (PersonalStoreError) -> Void
  private var state = State.closed
  /// The visits in which this program takes part.
  var shownMarkets: [MarketKey: ShownState] = [:]
  private var firstError: PersonalStoreError?
  private var setAside: PersonalStoreError?
  /// First error of this run, or that a file was set aside; nil while there was neither.
  package var trouble: PersonalStoreError? { firstError ?? setAside }

  /// - Parameters:
  ///   - path: the file, which is created with its folders; nil stores everything in memory.
  ///   - visitor: the program that takes part in visits; evaluated with the first visit.
  ///   - now: the wall clock.
  ///   - busyMilliseconds: maximum wait for another program that writes, then `.locked`.
  ///   - maximumPages: maximum size of the file in pages of 4 KB, then `.diskFull`; nil is unlimited.
  ///   - limits: maximum numbers of rows.
  ///   - report: receives the first error, on any thread.
  package init(
    at path: String?, visitor: @autoclosure @escaping @Sendable () -> VisitProcess = .current,
    now: @escaping @Sendable () -> Timestamp,
    busyMilliseconds: Int32 = 1_000, maximumPages: Int? = nil, limits: Limits = Limits(),
    report: @escaping @Sendable (PersonalStoreError) -> Void
  ) {
    self.path = path
    makeVisitor = visitor
    self.now = now
    self.busyMilliseconds = busyMilliseconds
    self.maximumPages = maximumPages
    self.limits = limits
    self.report = report
  }

  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  /// Ends this program's visits, and closes the file; later calls do nothing.
  package func close() {
    for market in Array(shownMarkets.keys) { didLeave(market) }
    state = .unusable
  }

  func read<Answer>(
    _ body: (SQLiteConnection) throws(StoreError) -> Answer
  ) -> Answer? {
    perform { connection throws(StoreError) in
      try connection.reading { () throws(StoreError) in try body(connection) }
    }
  }

  /// Runs a body in a write transaction; nil where it failed.
  ///
  /// With `survivingPowerLoss` it is fsynced before the function returns (`synchronous = FULL`), else
  /// with a later checkpoint.
  @discardableResult
  func write<Answer>(
    survivingPowerLoss isUrgent: Bool = false,
    _ body: (SQLiteConnection) throws(StoreError) -> Answer
  ) -> Answer? {
    perform { connection throws(StoreError) in
      try connection.execute("PRAGMA synchronous = \(isUrgent ? "FULL" : "NORMAL")")
      return try connection.writing { () throws(StoreError) in try body(connection) }
    }
  }

  /// Runs a body on the open file; nil where that failed.
  private func perform<Answer>(
    _ body: (SQLiteConnection) throws(StoreError) -> Answer
  ) -> Answer? {
    do throws(StoreError) {
      guard let connection = try opened() else { return nil }
      return try body(connection)
    } catch {
      didFail(error)
      return nil
    }
  }

  private func opened() throws(StoreError) -> SQLiteConnection? {
    switch state {
    case .unusable: return nil
    case .open(let connection): return connection
    case .closed:
      let connection: SQLiteConnection
      if let path {
        connection = try open(path)
      } else {
        connection = try SQLiteConnection()
        try connection.migrateToPersonal()
      }
      state = .open(connection)
      return connection
    }
  }

  private func open(_ path: String) throws(StoreError) -> SQLiteConnection {
    // A folder that cannot be created makes opening the file fail.
    try? Folder.make(Folder.containing(path))
    let options = SQLiteConnection.Options(
      createsFile: true, busyMilliseconds: busyMilliseconds, maximumPages: maximumPages)
    let connection = try SQLiteConnection.personal(at: path, options) { aside in
      setAside = .setAside(aside)
      report(.setAside(aside))
    }
    // A copied file may be readable by other users.
    var status = stat()
    for ending in ["", "-wal", "-shm"] where stat(path + ending, &status) == 0 {
      if status.st_mode & 0o077 != 0 { chmod(path + ending, 0o600) }
    }
    return connection
  }

  /// Reports the first error, and gives up a file that will not recover.
  private func didFail(_ error: StoreError) {
    let trouble = PersonalStoreError(error)
    switch trouble {
    case .damaged, .newerVersion, .noLocks, .cannotOpen: state = .unusable
    // Stored rows can still be read, and the next write may succeed.
    case .readOnly, .diskFull, .locked, .setAside: break
    }
    guard firstError == nil else { return }
    firstError = trouble
    report(trouble)
  }
}

// MARK: Opening

extension SQLiteConnection {
  /// Opens a personal file with the current version of its tables.
  ///
  /// A file from before 1.0 is set aside, and `announce` receives its new path.
  /// - Throws: what opening, `migrateToPersonal()` and `setAside(_:)` throw; `.busy` where another program
  ///   opens it for too long.
  static func personal(
    at path: String, _ options: Options, whenSetAside announce: (String) -> Void
  ) throws(StoreError) -> SQLiteConnection {
    let folder = Glibc.open(Folder.containing(path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    defer { Glibc.close(folder) }
    try lock(folder, atMost: options.busyMilliseconds)
    do throws(StoreError) {
      return try migrated(path, options)
    } catch .beforeFirstRelease {
      announce(try setAside(path))
      return try migrated(path, options)
    }
  }

  /// Locks a folder, so that of programs that start at the same time one sets the file aside, and none
  /// takes the log of the new file for that of the old one.
  private static func lock(
    _ folder: Int32, atMost milliseconds: Int32
  ) throws(StoreError) {
    let pause: Int32 = 5
    for _ in 0...max(0, milliseconds / pause) {
      // Some network file systems have no locks.
      if flock(folder, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK { return }
      usleep(UInt32(pause) * 1_000)
    }
    throw .conflict
  }

  private static func migrated(
    _ path: String, _ options: Options
  ) throws(StoreError) -> SQLiteConnection {
    let connection = try SQLiteConnection(opening: path, options)
    try connection.migrateToPersonal()
    return connection
  }

  /// Renames a file, to a name that no other file has, and returns its new path.
  /// - Throws: `.conflict` where another program uses it; `.cannotOpen` where it cannot be renamed.
  private static func setAside(_ path: String) throws(StoreError) -> String {
    // Leaving the WAL mode moves everything into the one file, and requires exclusive access, which the
    // transaction holds until the file has its new name.
    let connection = try SQLiteConnection(opening: path, Options())
    defer { withExtendedLifetime(connection) {} }
    let mode = try connection.first("PRAGMA journal_mode = DELETE") { row in row.text(0) }
    guard mode == "delete" else { throw .conflict }
    try connection.execute("BEGIN EXCLUSIVE")
    let names = PersonalFile.setAsidePaths(of: path)
    guard let free = names.first(where: { access($0, F_OK) != 0 }), rename(path, free) == 0 else {
      throw .cannotOpen(String(cString: strerror(errno)))
    }
    return free
  }

  /// Migrates a personal file to the current version of its tables.
  /// - Throws: `.newerVersion`, `.beforeFirstRelease`, `.foreign`; the error of a script.
  func migrateToPersonal() throws(StoreError) {
    guard try state(of: .personal) != .current else { return }
    try migrate(
      to: .personal,
      converting: { version throws(StoreError) in
        if version < Schema.foldingVersion { try FavoriteSearchTerms.renew(over: self) }
      })
  }
}

// MARK: What was chosen

extension PersonalFile {
  /// Tables of what the user chose to store: favorites, saved searches, alerts and triggered alerts.
  ///
  /// The other tables hold history, or rows that belong to these.
  static let chosenTables = [
    "favorite_product", "favorite_seller", "saved_search", "alert", "triggered_alert",
  ]

  /// Paths that files from before 1.0 get, in this order.
  static func setAsidePaths(of path: String) -> [String] {
    (1..<100).map { path + ($0 == 1 ? ".before-1.0" : ".before-1.0-\($0)") }
  }

  /// Whether a file, or one that was set aside, has rows in `chosenTables`; nil where it cannot be
  /// read.
  package static func hasChosen(in path: String) -> Bool? {
    if setAsidePaths(of: path).contains(where: { access($0, F_OK) == 0 }) { return true }
    var status = stat()
    if lstat(path, &status) != 0, errno == ENOENT { return false }
    do throws(StoreError) {
      let connection = try SQLiteConnection(
        opening: path, SQLiteConnection.Options(readsOnly: true))
      if try connection.state(of: .personal) == .empty { return false }
      for table in chosenTables
      where try connection.integer("SELECT 1 FROM \(table) LIMIT 1") != nil {
        return true
      }
      return false
    } catch {
      return nil
    }
  }
}

extension Schema {
  /// The version since which texts have the current folding.
  static let foldingVersion = firstVersion

  /// Tables of a personal file; the application id is "OMpe".
  static let personal = Schema(
    applicationID: 0x4F4D_7065,
    migrations: ResourceFile.texts("schema/personal", ".sql", from: firstVersion))
}

/// Reason why personal data is not stored, or not there.
package enum PersonalStoreError: Error, Hashable, Sendable {
  /// The file is damaged, or is not a personal file.
  case damaged
  /// A newer version of the program wrote it.
  case newerVersion
  /// The file was made before 1.0; it has this path now, and an empty one its place.
  case setAside(String)
  case readOnly
  case diskFull
  /// Another program has held it for longer than `busyMilliseconds`.
  case locked
  /// The file system has no locks.
  case noLocks
  /// The reason as the system words it.
  case cannotOpen(String)

  init(_ error: StoreError) {
    self =
      switch error {
      // The program's own statements satisfy the constraints; only existing rows can violate them.
      case .damaged, .foreign, .otherEncoding, .constraint, .failed, .beforeFirstRelease: .damaged
      case .newerVersion: .newerVersion
      case .readOnly, .readOnlyFolder: .readOnly
      case .full: .diskFull
      case .conflict, .timedOut, .cancelled, .disconnected, .commitUnknown: .locked
      case .cannotOpen(let reason): .cannotOpen(reason)
      case .fileSystemLacks(.locks): .noLocks
      case .fileSystemLacks(.sharedMemory): .readOnly
      }
  }
}
