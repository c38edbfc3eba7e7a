import Dispatch
import DispatchBridge
import Glibc
import MarketModel
import Posix
import SQLiteKit
import Synchronization
import TextCoding

/// What a person keeps, in one file that its owner alone reads and that all running programs share.
///
/// It is opened when something is first asked or kept, on a queue of its own. Where it cannot be used
/// nothing is remembered, and the reason is told once.
package actor PersonalFile: PersonalDataStore {
  /// Maximum numbers of what is kept, which tests make small.
  package struct Limits: Sendable {
    package var savedSearches: Int64 = 500
    /// Favorite products and sellers of all markets together.
    package var products: Int64 = 100_000
    package var sellers: Int64 = 10_000
    /// Products whose details were opened, of all markets together; of more the oldest are forgotten.
    package var viewedProducts: Int64 = 500
    /// Products that were on the screen, of all markets together.
    package var seenProducts: Int64 = 100_000
    /// Prices that are no more, of all products together.
    package var pastPrices: Int64 = 100_000
    /// Products of a seller or a search that are known for one alert; of more the oldest are not followed.
    package var alertProducts: Int64 = 200_000

    package init() {}
  }

  private enum State {
    case closed
    case open(SQLiteConnection)
    /// Nothing can be kept in this run.
    case unusable
  }

  /// Bytes of the longest place, search, name of a favorite and note.
  static let maxTextLength = 4 << 10
  /// Products that are looked up or taken over at once: more than any screen shows.
  static let maxAtOnce = 1_000

  private let executor = QueueExecutor(label: "market.personal", qos: .utility)
  /// Nil keeps everything in memory.
  private let path: String?
  private(set) lazy var visitor = makeVisitor()
  private let makeVisitor: @Sendable () -> VisitProcess
  let now: @Sendable () -> Timestamp
  private let busyMilliseconds: Int32
  private let maximumPages: Int?
  let limits: Limits
  private let tell: @Sendable (PersonalStoreError) -> Void
  private let knownLocations: @Sendable () -> [KnownLocation]
  /// Places that became known since former markets were given theirs.
  private let learned = Mutex<[KnownLocation]>([])
  /// All places that are known beside those of the file itself.
  var known: [KnownLocation] = []
  private var hasPlacedFormer = false
  private var state = State.closed
  /// The visits in which this program takes part.
  var looks: [MarketKey: ShownState] = [:]
  /// First trouble of this run; nil while everything was read and kept.
  package private(set) var trouble: PersonalStoreError?

  /// - Parameters:
  ///   - path: the file, whose folders are made with it; nil keeps everything in memory.
  ///   - visitor: the program that takes part in visits; asked for with the first of them.
  ///   - now: the clock on the wall.
  ///   - busyMilliseconds: time to wait for another program that writes.
  ///   - maximumPages: most pages of 4 KB that the file may have; nil is as many as the disk takes.
  ///   - limits: most rows of some kinds.
  ///   - knownLocations: places that others know, asked for once the file is opened.
  ///   - tell: is told once why nothing is kept, in any thread.
  package init(
    at path: String?, visitor: @autoclosure @escaping @Sendable () -> VisitProcess = .current,
    now: @escaping @Sendable () -> Timestamp,
    busyMilliseconds: Int32 = 1_000, maximumPages: Int? = nil, limits: Limits = Limits(),
    knownLocations: @autoclosure @escaping @Sendable () -> [KnownLocation] = [],
    tell: @escaping @Sendable (PersonalStoreError) -> Void
  ) {
    self.path = path
    makeVisitor = visitor
    self.now = now
    self.busyMilliseconds = busyMilliseconds
    self.maximumPages = maximumPages
    self.limits = limits
    self.knownLocations = knownLocations
    self.tell = tell
  }

  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  /// The program ends: it leaves the markets that it shows, and gives the file back.
  package func close() {
    for market in Array(looks.keys) { didLeave(market) }
    state = .unusable
  }

  func read<Answer>(
    _ body: (SQLiteConnection) throws(DatabaseError) -> Answer
  ) -> Answer? {
    perform { connection throws(DatabaseError) in
      try connection.reading { () throws(DatabaseError) in try body(connection) }
    }
  }

  /// Runs a body that writes; what it did is on the disk with the next note at the latest, and at once
  /// where it is to survive that the power goes.
  @discardableResult
  func write<Answer>(
    survivingPowerLoss isUrgent: Bool = false,
    _ body: (SQLiteConnection) throws(DatabaseError) -> Answer
  ) -> Answer? {
    perform { connection throws(DatabaseError) in
      try connection.execute("PRAGMA synchronous = \(isUrgent ? "FULL" : "NORMAL")")
      return try connection.writing { () throws(DatabaseError) in try body(connection) }
    }
  }

  /// Runs a body on the open file; nil where that failed.
  private func perform<Answer>(
    _ body: (SQLiteConnection) throws(DatabaseError) -> Answer
  ) -> Answer? {
    do throws(DatabaseError) {
      guard let connection = try opened() else { return nil }
      placeFormerMarkets(connection)
      return try body(connection)
    } catch {
      didFail(error)
      return nil
    }
  }

  /// A market is opened at this place: what an earlier version kept of it is its own from now on.
  package nonisolated func learn(_ location: KnownLocation) {
    learned.withLock { $0.append(location) }
  }

  /// Gives former markets their places as far as new ones tell more; where the file takes nothing now,
  /// the next run will.
  private func placeFormerMarkets(_ connection: SQLiteConnection) {
    let new = learned.withLock { locations in
      defer { locations = [] }
      return locations
    }
    guard !new.isEmpty || !hasPlacedFormer else { return }
    hasPlacedFormer = true
    known += new
    do throws(DatabaseError) {
      try LegacyMarkets(connection: connection, known: known).place()
    } catch {
      didFail(error)
    }
  }

  private func opened() throws(DatabaseError) -> SQLiteConnection? {
    switch state {
    case .unusable: return nil
    case .open(let connection): return connection
    case .closed:
      let connection: SQLiteConnection
      if let path { connection = try open(path) } else { connection = try SQLiteConnection() }
      try connection.migrateToPersonal()
      state = .open(connection)
      for location in knownLocations() { learn(location) }
      return connection
    }
  }

  private func open(_ path: String) throws(DatabaseError) -> SQLiteConnection {
    // What is missing in the end shows when the file is opened.
    try? Folder.make(Folder.containing(path))
    let options = SQLiteConnection.Options(
      createsFile: true, busyMilliseconds: busyMilliseconds, maximumPages: maximumPages)
    let connection = try SQLiteConnection(opening: path, options)
    // A copy that somebody put here may be readable by everybody.
    var status = stat()
    for ending in ["", "-wal", "-shm"] where stat(path + ending, &status) == 0 {
      if status.st_mode & 0o077 != 0 { chmod(path + ending, 0o600) }
    }
    return connection
  }

  /// Tells the first trouble, and lets go of a file that will not get better.
  private func didFail(_ error: DatabaseError) {
    let trouble = PersonalStoreError(error)
    switch trouble {
    case .damaged, .newerVersion, .cannotOpen: state = .unusable
    // What was kept can still be read, and the next try may go better.
    case .readOnly, .diskFull, .locked: break
    }
    guard self.trouble == nil else { return }
    self.trouble = trouble
    tell(trouble)
  }
}

extension SQLiteConnection {
  /// Brings a file of what a person keeps to the newest version.
  func migrateToPersonal() throws(DatabaseError) {
    guard try state(of: .personal) != .current else { return }
    try migrate(
      to: .personal,
      converting: { old throws(DatabaseError) in
        if old < Schema.foldingVersion { try FavoriteSearchTerms.renew(over: self) }
      })
  }
}

// MARK: What was chosen

extension PersonalFile {
  /// Tables of what a person chose to keep: favorites, saved searches, alerts and what came of them.
  ///
  /// The other tables hold what visits note by themselves, or what belongs to these.
  static let chosenTables = ["kept_product", "kept_seller", "saved_search", "wait", "hit"]

  /// Whether a file holds anything that a person chose to keep; nil where that cannot be read.
  package static func hasChosen(in path: String) -> Bool? {
    var status = stat()
    if lstat(path, &status) != 0, errno == ENOENT { return false }
    do throws(DatabaseError) {
      let connection = try SQLiteConnection(
        opening: path, SQLiteConnection.Options(readsOnly: true))
      let tables = try connection.all("SELECT name FROM sqlite_schema WHERE type = 'table'") {
        row in row.text(0)
      }
      // Files of earlier versions lack some of them.
      for table in chosenTables where tables.contains(table) {
        if try connection.integer("SELECT 1 FROM \(table) LIMIT 1") != nil { return true }
      }
      return false
    } catch {
      return nil
    }
  }
}

extension Schema {
  /// The version since which texts are folded as they are today.
  static let foldingVersion = 7

  /// "OMpe": what a person keeps.
  static let personal = Schema(
    applicationID: 0x4F4D_7065,
    migrations: ResourceFile.texts("schema/personal", ".sql"))
}

/// Reason why what a person does is not kept.
package enum PersonalStoreError: Error, Hashable, Sendable {
  /// The file is damaged, or no such file at all.
  case damaged
  /// A newer version of the program wrote it.
  case newerVersion
  case readOnly
  case diskFull
  /// Another program holds it for longer than one waits.
  case locked
  /// The reason as the system words it.
  case cannotOpen(String)

  init(_ error: DatabaseError) {
    self =
      switch error {
      // The program's own statements keep the constraints; only what was there can be in their way.
      case .damaged, .foreign, .constraint, .failed: .damaged
      case .newerVersion: .newerVersion
      case .readOnly, .readOnlyFolder: .readOnly
      case .full: .diskFull
      case .busy, .cancelled: .locked
      case .cannotOpen(let reason): .cannotOpen(reason)
      }
  }
}
