import Glibc
import MarketModel
import SQLiteKit
import StoreCore
import Synchronization

/// Creates an empty market file at a path.
package typealias MarketFileMaking =
  @Sendable (_ path: String) async throws(RepositoryError) -> any MarketArchive

/// Market in a PostgreSQL database: the repository of its products and the source of its pictures.
///
/// Any number of servers may share one. Searches have connections of their own, so that a slow search
/// delays no page. All statements of a read see one state of the database.
package final class PostgresMarketStore: StoredMarket {
  /// Options and dependencies of a store.
  package struct Options: Sendable {
    /// Splits and folds texts for searches.
    package var tokenizer = SearchTokenizer()
    /// Creates the market file for a backup, at a path without a file.
    package var makeFile: MarketFileMaking
    package var passwordCost: PasswordHasher.Cost
    package var passwordLanes: PasswordHasher.Lanes
    /// Number of connections for everything but searches.
    package var connectionCount: Int
    package var searchConnectionCount: Int
    /// Maximum milliseconds of a statement, and of the wait for a free connection; then
    /// `.store(.locked)`.
    package var timeoutMilliseconds: Int
    /// Like `timeoutMilliseconds`, for searches: frequent words take long to count.
    package var searchTimeoutMilliseconds: Int
    /// Limits of the work of a search.
    package var searchBounds = SearchBounds()
    /// The clock, in seconds since 1970 in UTC.
    package var now: @Sendable () -> Int64
    /// External storage of pictures; nil stores all of them in the database.
    package var outside: ExternalPictures?
    /// Receives the metrics of connections and passwords.
    package var registry = MetricsRegistry()
    /// Rules of a store over a standby; nil for the market's own database.
    var replica: ReplicaConnectionRules?

    package init(
      makeFile: @escaping MarketFileMaking,
      passwordCost: PasswordHasher.Cost = .standard,
      passwordLanes: PasswordHasher.Lanes = .one,
      connectionCount: Int = 8, searchConnectionCount: Int = 4, timeoutMilliseconds: Int = 5_000,
      searchTimeoutMilliseconds: Int = 5_000,
      now: @escaping @Sendable () -> Int64 = { Int64(time(nil)) }
    ) {
      self.makeFile = makeFile
      self.passwordCost = passwordCost
      self.passwordLanes = passwordLanes
      self.connectionCount = connectionCount
      self.searchConnectionCount = searchConnectionCount
      self.timeoutMilliseconds = timeoutMilliseconds
      self.searchTimeoutMilliseconds = searchTimeoutMilliseconds
      self.now = now
    }
  }

  /// The tables that bulk inserts fill.
  private static let bulkTables = [
    "product", "product_text", "product_picture", "product_search", "block", "seller", "picture",
  ]

  /// Maximum time of reading the data version.
  static let versionTimeout = Duration.seconds(1)

  /// Time after a write at which its counts are added to the blocks.
  private static let countPause = Duration.milliseconds(500)

  private let address: String
  private let connections: ConnectionPool
  let searches: ConnectionPool
  /// A connection that stays free while the others are busy.
  let reserved: ConnectionPool
  let version: MarketVersion
  private let logDelay = Mutex(ChangeLogDelay())
  private let countMerging: DeferredWork
  private let makeFile: MarketFileMaking
  /// Bulk insert in a transaction of its own; nil otherwise.
  private let filling = Mutex<TableFilling?>(nil)
  package let bookmarks = OrderBookmarks()
  package let rows = ListedRowCache()
  private let searchBounds: SearchBounds
  package let indexing = IndexingProgress()
  package let signature = ServerSignature()
  package let tokenizer: SearchTokenizer
  package let passwords: PasswordHasher
  package let pictureProcessor: any PictureProcessor
  package let outside: ExternalPictures?
  package let now: @Sendable () -> Int64

  /// A store whose tables are current, as those of a standby.
  init(
    _ address: String, pictureProcessor: any PictureProcessor, options: Options
  ) {
    self.address = address
    var quick = PostgresOptions(timeoutMilliseconds: options.timeoutMilliseconds)
    let preferred = options.replica?.preferred ?? PreferredHost()
    quick.preferred = preferred
    quick.replica = options.replica
    let kind = options.replica == nil ? "" : "standby-"
    quick.monitor = PrimaryMonitor(
      over: address, timeoutMilliseconds: options.timeoutMilliseconds, preferred)
    let connections = ConnectionPool(
      kind + "pages", count: options.connectionCount, to: address, options: quick,
      registry: options.registry)
    self.connections = connections
    countMerging = DeferredWork(after: Self.countPause) {
      // Counts that fail to be added now are added after the next write; they are counted where they are.
      try? await connections.use { connection throws(StoreError) in
        try connection.mergePendingCounts()
      }
    }
    var slow = quick
    slow.timeoutMilliseconds = options.searchTimeoutMilliseconds
    searches = ConnectionPool(
      kind + "searches", count: options.searchConnectionCount, to: address, options: slow,
      registry: options.registry)
    let reserved = ConnectionPool(
      kind + "readiness", count: 1, to: address, options: quick,
      registry: options.registry)
    self.reserved = reserved
    version = MarketVersion { await PostgresMarketStore.version(over: reserved) }
    makeFile = options.makeFile
    searchBounds = options.searchBounds
    tokenizer = options.tokenizer
    passwords = PasswordHasher(
      cost: options.passwordCost, lanes: options.passwordLanes, registry: options.registry)
    self.pictureProcessor = pictureProcessor
    outside = options.outside
    now = options.now
  }

  /// Opens a market's database, and migrates it to the current version of its tables.
  ///
  /// The address is a connection URI, `postgresql://...`; libpq finds a missing password in its own
  /// places.
  ///
  /// - Throws: `.store(.cannotOpen)` where the database refuses the role or does not exist;
  ///   `.store(.unavailable)` where it does not answer; `.store(.newerVersion)`,
  ///   `.store(.beforeFirstRelease)`, `.store(.otherEncoding)`, `.store(.locked)` after a timeout.
  package static func open(
    at address: String, pictureProcessor: any PictureProcessor, options: Options
  ) async throws(RepositoryError) -> PostgresMarketStore {
    let store = PostgresMarketStore(address, pictureProcessor: pictureProcessor, options: options)
    do {
      try await SchemaMigration(of: address, over: store.connections).run()
    } catch .disconnected(let reason) {
      throw .store(
        ConnectionRefusal.isFinal(at: address) ? .cannotOpen(reason) : .unavailable(reason))
    } catch {
      throw RepositoryError(error)
    }
    try await store.repairLog()
    try await store.assignID()
    try await store.mergePendingCounts()
    // Where the tables cannot be read, they cannot be indexed either.
    try? await store.resumeRenewals()
    return store
  }

  package func indexText(
    _ name: String, _ description: String, _ sellerName: String
  ) -> IndexText {
    IndexText([name, description, sellerName], tokenizer)
  }

  package func search(
    _ request: PageRequest, after key: OrderKey?, counted total: Int?
  ) async throws(RepositoryError) -> ProductPage? {
    guard let search = WordSearch(request.query, tokenizer: tokenizer) else { return nil }
    let (bounds, rows) = (searchBounds, rows)
    return try await transact(.reading, over: searches) {
      database throws(StoreError) -> Outcome<Reading<ProductPage>> in
      .success(
        try SearchQueries(database, within: bounds, for: request, keeping: rows)
          .page(request, after: key, of: search, counted: total))
    }
  }

  package func searchTotal(of query: ProductQuery) async throws(RepositoryError) -> Int? {
    guard let search = WordSearch(query, tokenizer: tokenizer) else { return nil }
    let bounds = searchBounds
    return try await transact(.reading, over: searches) { database throws(StoreError) in
      .success(try SearchQueries(database, within: bounds).exactTotal(of: search, in: query))
    }
  }

  package func dataVersion() -> Int64? { version.known() }

  package func askedDataVersion() async -> Int64? { await version.asked() }

  /// Reads the data version over a connection that stays free while others are busy.
  ///
  /// A lost connection is replaced once; the cached version stays.
  static func version(over pool: ConnectionPool) async -> VersionPoller.Answer {
    let end = ContinuousClock.now + versionTimeout
    for _ in 1...2 {
      do {
        return try await pool.use(before: end) { connection throws(StoreError) in
          try connection.transact(.none) {
            () throws(StoreError) -> Outcome<VersionPoller.Answer> in
            .success(try connection.logVersion())
          }
        }.get()
      } catch StoreError.disconnected {
        continue
      } catch {
        break
      }
    }
    // The next request reports what is wrong with the database.
    return .unknown
  }

  package func changes(
    after cursor: ChangeCursor?, atMost limit: Int
  ) async throws(RepositoryError) -> ChangeBatch {
    let batch = try await transact(.reading, over: connections) { database in
      .success(database.loggedChanges(after: cursor, atMost: limit))
    }
    guard let batch else { throw .unsupported }
    // A full batch may end before the end of the log.
    guard batch.changes.isEmpty, !batch.isReset, let cursor else {
      return try await afterCachesExpire(batch)
    }
    guard DatabaseCursor(cursor)?.partial != nil, batch.cursor != cursor else {
      return batch
    }
    return try await changes(after: batch.cursor, atMost: limit)
  }

  /// Waits until no server can still answer from a cache older than the batch, so that clients which then
  /// reload see all of it.
  private func afterCachesExpire(_ batch: ChangeBatch) async throws(RepositoryError) -> ChangeBatch
  {
    guard let cursor = DatabaseCursor(batch.cursor) else { return batch }
    let end = logDelay.withLock { $0.end(of: cursor.end, readAt: .now) }
    do {
      try await Task.sleep(until: end, clock: .continuous)
      return batch
    } catch {
      throw .cancelled
    }
  }

  /// Repairs a log whose tables were copied from another database.
  private func repairLog() async throws(RepositoryError) {
    let needsRepair = try await transact(.none, over: connections) { database throws(StoreError) in
      .success(try database.logNeedsRepair())
    }
    guard needsRepair else { return }
    try await transact(.writing, over: connections, isRepeatable: true) {
      database throws(StoreError) in .success(try database.repairLog())
    }
  }

  /// Gives tables without an id, or copied with one, an id of their own; a standby, or a database whose
  /// row this role may not write, keeps the id that it has.
  private func assignID() async throws(RepositoryError) {
    do throws(RepositoryError) {
      let (location, row) = try await transact(.none, over: connections) {
        database throws(StoreError) in
        .success((try TablesIdentity.location(over: database), try database.identity.row()))
      }
      if let row, row.id != nil, TablesIdentity.isSame(row.location, location) { return }
      try await transact(.writing, over: connections, isRepeatable: true) {
        database throws(StoreError) in
        .success(try database.identity.assignID(at: location, isSame: TablesIdentity.isSame))
      }
    } catch .store(.readOnly), .store(.cannotOpen) {
    }
  }

  /// Adds all pending counts to the blocks, regardless of their transaction ids: the tables may have been
  /// copied from another database.
  ///
  /// A read-only database is counted as it is.
  private func mergePendingCounts() async throws(RepositoryError) {
    do throws(StoreError) {
      try await connections.retrying(isRepeatable: true) { connection throws(StoreError) in
        try connection.mergePendingCounts(all: true)
      }
    } catch .readOnly, .cannotOpen {
    } catch {
      throw RepositoryError(error)
    }
  }

  /// The database's clock, since those of its servers may differ.
  /// - Throws: `.store` or `.cancelled`.
  package func clockSeconds() async throws(RepositoryError) -> Int64 {
    try await read(.statements) { database throws(StoreError) in
      try database.integer("SELECT \(database.dialect.now)") ?? 0
    }
  }

  package func share(_ use: RateLimitUsage) async throws(RepositoryError) -> Int64? {
    try await transact(.none, over: connections) { database throws(StoreError) in
      .success(try database.add(use))
    }
  }

  package func checkReadiness(forWriting: Bool) async throws(RepositoryError) {
    let isReadOnly = try await transact(.none, over: reserved) { database throws(StoreError) in
      .success(try database.isReadOnly())
    }
    if isReadOnly, forWriting { throw .store(.readOnly) }
  }

  package func read<Answer: Sendable>(
    _ extent: ReadExtent,
    _ body: @escaping @Sendable (any MarketDatabase) throws(StoreError) -> Reading<Answer>
  ) async throws(RepositoryError) -> Answer {
    try await transact(
      [.statements, .files].contains(extent) ? .none : .reading,
      over: extent == .search ? searches : connections
    ) {
      database throws(StoreError) in .success(try body(database))
    }
  }

  package func write<Answer: Sendable>(
    isRepeatable: Bool,
    _ body: @escaping @Sendable (any MarketDatabase) throws(StoreError) -> Outcome<Reading<Answer>>
  ) async throws(RepositoryError) -> Answer {
    try await transact(.writing, over: connections, isRepeatable: isRepeatable, body)
  }

  /// Runs a body in a transaction over one of a pool's connections; retries where that may help.
  /// - Throws: the refusal that the body returns; the `RepositoryError` of
  ///   `ConnectionPool.retrying(isRepeatable:_:)`.
  func transact<Answer: Sendable>(
    _ kind: PostgresConnection.Transaction, over pool: ConnectionPool, isRepeatable: Bool = false,
    _ body: @escaping @Sendable (PostgresConnection) throws(StoreError) -> Outcome<Answer>
  ) async throws(RepositoryError) -> Answer {
    try await transact(kind, over: pool, isRepeatable: isRepeatable) {
      database throws(StoreError) -> Outcome<Reading<Answer>> in
      try body(database).map { Reading($0) }
    }
  }

  /// Like `transact(_:over:isRepeatable:_:)`, with the statements of the answer.
  func transact<Answer: Sendable>(
    _ kind: PostgresConnection.Transaction, over pool: ConnectionPool, isRepeatable: Bool = false,
    _ body:
      @escaping @Sendable (PostgresConnection) throws(StoreError) -> Outcome<Reading<Answer>>
  ) async throws(RepositoryError) -> Answer {
    // This server reads its own writes from then on, also where their outcome is unknown.
    defer {
      if kind == .writing {
        version.forget()
        countMerging.request()
      }
    }
    let outcome: Outcome<Answer>
    do {
      if let filling = filling.withLock({ $0 }) {
        outcome = try await filling.run(body)
      } else {
        outcome = try await pool.retrying(isRepeatable: isRepeatable) {
          connection throws(StoreError) in
          try connection.answer(kind) { () throws(StoreError) in try body(connection) }
        }
      }
    } catch {
      throw RepositoryError(error)
    }
    return try outcome.get()
  }

  /// Begins to fill empty tables, where pictures are in the database: the lease of an external file
  /// has to be visible before the file is written.
  package func beginBulk() async throws(RepositoryError) {
    guard outside == nil else { return }
    let begun = TableFilling(of: address)
    let pools = [connections, searches, reserved]
    // Where that cannot be done, rows are inserted as ever.
    let isBegun = try? await begun.begin { pools.reduce(0) { $0 + $1.connectedCount } }
    guard isBegun == true else { return }
    filling.withLock { $0 = begun }
  }

  /// Runs VACUUM and ANALYZE, so that plans fit the tables, and index-only scans are possible.
  /// - Throws: `.store` where the tables cannot be analyzed.
  package func endBulk() async throws(RepositoryError) {
    let unhurried = ConnectionPool("bulk", count: 1, to: address, options: .unhurried)
    let begun = filling.withLock { filling in
      defer { filling = nil }
      return filling
    }
    do {
      try await begun?.end()
      try await unhurried.use { connection throws(StoreError) in
        let task = connection.numbersTransactions ? "VACUUM (ANALYZE)" : "ANALYZE"
        for table in Self.bulkTables { try connection.execute("\(task) \(table)") }
      }
    } catch {
      throw RepositoryError(error)
    }
  }

  package func snapshot() async throws(RepositoryError) -> any MarketSnapshot {
    try await begunSnapshot()
  }

  private func begunSnapshot() async throws(RepositoryError) -> StoreSnapshot {
    var patient = connections.options
    patient.furtherSettings.append("idle_in_transaction_session_timeout = 0")
    let (address, options) = (address, patient)
    return try await StoreSnapshot(outside: outside) { () throws(StoreError) in
      let connection = try PostgresConnection(to: address, options)
      try connection.begin(.beginReading)
      _ = try connection.integer("SELECT version FROM market_schema")
      return connection
    }
  }

  /// The copy is a market file of its own.
  /// - Throws: what `makeFile` and `snapshot()` throw; `.store` where the file cannot be written.
  package func backup(
    to path: String, show: @escaping @Sendable (Double) -> Void
  ) async throws(RepositoryError) {
    let working = path + ".working"
    defer { for ending in ["", "-journal", "-wal", "-shm"] { unlink(working + ending) } }
    let file = try await makeFile(working)
    try await DatabaseBackup(snapshot: begunSnapshot(), file: file).run(show: show)
    try await file.backup(to: path) { _ in }
  }
}
