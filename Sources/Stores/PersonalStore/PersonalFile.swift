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
  /// What this program told last of a market that it shows.
  private struct ShownState {
    var at: Int64
    var written: Int64
    var newest: Product.ID?
  }

  private enum State {
    case closed
    case open(SQLiteConnection)
    /// Nothing can be kept in this run.
    case unusable
  }

  /// Keys come many a second; a look is written once in so many seconds.
  private static let pause: Int64 = 30

  private let executor = QueueExecutor(label: "market.personal", qos: .utility)
  private let path: String
  private lazy var visitor = makeVisitor()
  private let makeVisitor: @Sendable () -> VisitProcess
  let now: @Sendable () -> Timestamp
  private let busyMilliseconds: Int32
  private let maximumPages: Int?
  private let tell: @Sendable (PersonalStoreError) -> Void
  private let knownLocations: @Sendable () -> [KnownLocation]
  /// Places that became known since former markets were given theirs.
  private let learned = Mutex<[KnownLocation]>([])
  /// All places that are known beside those of the file itself.
  var known: [KnownLocation] = []
  private var hasPlacedFormer = false
  private var state = State.closed
  private var looks: [MarketKey: ShownState] = [:]
  /// First trouble of this run; nil while everything was read and kept.
  package private(set) var trouble: PersonalStoreError?

  /// - Parameters:
  ///   - path: the file, whose folders are made with it.
  ///   - visitor: the program that takes part in visits; asked for with the first of them.
  ///   - now: the clock on the wall.
  ///   - busyMilliseconds: time to wait for another program that writes.
  ///   - maximumPages: most pages of 4 KB that the file may have; nil is as many as the disk takes.
  ///   - knownLocations: places that others know, asked for once the file is opened.
  ///   - tell: is told once why nothing is kept, in any thread.
  package init(
    at path: String, visitor: @autoclosure @escaping @Sendable () -> VisitProcess = .current,
    now: @escaping @Sendable () -> Timestamp,
    busyMilliseconds: Int32 = 1_000, maximumPages: Int? = nil,
    knownLocations: @autoclosure @escaping @Sendable () -> [KnownLocation] = [],
    tell: @escaping @Sendable (PersonalStoreError) -> Void
  ) {
    self.path = path
    makeVisitor = visitor
    self.now = now
    self.busyMilliseconds = busyMilliseconds
    self.maximumPages = maximumPages
    self.knownLocations = knownLocations
    self.tell = tell
  }

  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  package func pastSearches(atMost limit: Int) -> [String] {
    read { connection throws(DatabaseError) in
      try SearchHistoryTable(connection: connection).past(atMost: limit)
    } ?? []
  }

  /// Blank texts and those of more than 4 KB are not kept.
  package func didSearch(for text: String) {
    guard !text.allSatisfy(\.isWhitespace), text.utf8.count <= SearchHistoryTable.maxTextLength
    else { return }
    write { connection throws(DatabaseError) in
      try SearchHistoryTable(connection: connection).add(text)
    }
  }

  package func savedSearches() -> [SavedSearch] {
    read { connection throws(DatabaseError) in
      try SearchHistoryTable(connection: connection).saved()
    } ?? []
  }

  package func save(_ search: SavedSearch) -> Bool {
    guard !search.name.isEmpty, search.name.utf8.count <= SearchHistoryTable.maxNameLength,
      search.text.utf8.count <= SearchHistoryTable.maxTextLength
    else { return false }
    return write(survivingPowerLoss: true) { connection throws(DatabaseError) in
      try SearchHistoryTable(connection: connection).save(search)
    } ?? false
  }

  package func forgetSearch(named name: String) {
    write(survivingPowerLoss: true) { connection throws(DatabaseError) in
      try SearchHistoryTable(connection: connection).forget(named: name)
    }
  }

  package func lastVisit(to market: MarketKey) -> Visit? {
    let now = now().seconds
    let known = read { connection throws(DatabaseError) in
      let visits = VisitTable(connection: connection, now: now)
      return (last: try visits.lastEnded(to: market), mayEnd: try visits.isUnderWay(to: market))
    }
    guard let known else { return nil }
    guard known.mayEnd else { return known.last }
    return write { connection throws(DatabaseError) in
      try VisitTable(connection: connection, now: now).last(to: market)
    } ?? known.last
  }

  package func isVisiting(_ market: MarketKey, newest: Product.ID?) {
    let now = now().seconds
    let last = looks[market]
    if let last, (0..<Self.pause).contains(now - last.written), last.newest == newest {
      looks[market]?.at = now
      return
    }
    let visitor = visitor
    let isNoted: Void? = write { connection throws(DatabaseError) in
      try VisitTable(connection: connection, now: now)
        .note(market, by: visitor, newest: newest, lastLook: last?.at)
    }
    if isNoted != nil { looks[market] = ShownState(at: now, written: now, newest: newest) }
  }

  package func didLeave(_ market: MarketKey) {
    guard looks.removeValue(forKey: market) != nil else { return }
    let now = now().seconds
    let visitor = visitor
    write { connection throws(DatabaseError) in
      try VisitTable(connection: connection, now: now).leave(market, by: visitor)
    }
  }

  /// The program ends: it leaves the markets that it shows, and gives the file back.
  package func close() {
    for market in Array(looks.keys) { didLeave(market) }
    state = .unusable
  }
}

extension PersonalFile {
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
      // What is missing in the end shows when the file is opened.
      try? Folder.make(Folder.containing(path))
      let options = SQLiteConnection.Options(
        createsFile: true, busyMilliseconds: busyMilliseconds, maximumPages: maximumPages)
      let connection = try SQLiteConnection(opening: path, options)
      closeToOthers()
      try connection.migrateToPersonal()
      state = .open(connection)
      for location in knownLocations() { learn(location) }
      return connection
    }
  }

  /// A copy that somebody put here may be readable by everybody.
  private func closeToOthers() {
    var status = stat()
    for ending in ["", "-wal", "-shm"] where stat(path + ending, &status) == 0 {
      if status.st_mode & 0o077 != 0 { chmod(path + ending, 0o600) }
    }
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
