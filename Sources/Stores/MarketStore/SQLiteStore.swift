import Glibc
import MarketModel
import Posix
import SQLiteKit
import StoreCore
import Synchronization

/// Market in one SQLite file: the repository of its products and the source of its pictures.
///
/// Pages, searches, counts and pictures are read over separate connections, so that a slow search delays
/// no page, and no read waits for a write. All statements of a read see one state of the file.
package final class SQLiteStore: StoredMarket {
  /// Options and dependencies of a store.
  package struct Options: Sendable {
    /// Whether a missing file is created.
    package var createsFile: Bool
    /// Whether the file is opened read-only; every write then throws `.store(.readOnly)`.
    package var readsOnly: Bool
    /// Splits and folds texts for searches.
    package var tokenizer = SearchTokenizer()
    package var passwordCost: PasswordHasher.Cost
    package var passwordLanes: PasswordHasher.Lanes
    /// Maximum milliseconds to wait while another program writes, then `.store(.locked)`.
    package var busyMilliseconds: Int32
    /// Maximum size of the file in pages of 4 KB, beyond which writes throw `.store(.diskFull)`; nil is
    /// unlimited.
    package var maximumPages: Int?
    /// The clock, in seconds since 1970 in UTC.
    package var now: @Sendable () -> Int64
    /// External storage of pictures; nil stores all of them in the file.
    package var outside: ExternalPictures?
    /// Receives the metrics of connections and passwords.
    package var registry = MetricsRegistry()

    package init(
      createsFile: Bool = false, readsOnly: Bool = false,
      passwordCost: PasswordHasher.Cost = .standard,
      passwordLanes: PasswordHasher.Lanes = .one, busyMilliseconds: Int32 = 2_000,
      maximumPages: Int? = nil,
      now: @escaping @Sendable () -> Int64 = { Int64(time(nil)) }
    ) {
      self.createsFile = createsFile
      self.readsOnly = readsOnly
      self.passwordCost = passwordCost
      self.passwordLanes = passwordLanes
      self.busyMilliseconds = busyMilliseconds
      self.maximumPages = maximumPages
      self.now = now
    }
  }

  /// Whether opening the file found no shared memory, and had programs wait for each other from now on.
  package let hasLeftWriteAheadLog = Atomic(false)
  let path: String
  private let pages: StoreConnection
  let searches: StoreConnection
  let counts: StoreConnection
  private let files: StoreConnection
  private let writer: StoreConnection
  package let bookmarks = OrderBookmarks()
  package let rows = ListedRowCache()
  private let versions: DataVersionReader
  package let signature = ServerSignature()
  package let indexing = IndexingProgress()
  let grams: ProductGrams
  package let passwords: PasswordHasher
  package let pictureProcessor: any PictureProcessor
  package let outside: ExternalPictures?
  package let now: @Sendable () -> Int64

  private init(path: String, pictureProcessor: any PictureProcessor, options: Options) {
    self.path = path
    var reading = SQLiteConnection.Options(
      readsOnly: true, opensForReading: options.readsOnly, stopsWhenCancelled: true)
    reading.busyMilliseconds = options.busyMilliseconds
    let registry = options.registry
    pages = StoreConnection("pages", path: path, options: reading, registry: registry)
    searches = StoreConnection("searches", path: path, options: reading, registry: registry)
    counts = StoreConnection("counts", path: path, options: reading, registry: registry)
    files = StoreConnection("files", path: path, options: reading, registry: registry)
    let writing = SQLiteConnection.Options(
      createsFile: options.createsFile && !options.readsOnly, readsOnly: options.readsOnly,
      opensForReading: options.readsOnly, busyMilliseconds: options.busyMilliseconds,
      maximumPages: options.maximumPages)
    writer = StoreConnection("writer", path: path, options: writing, registry: registry)
    versions = DataVersionReader(path: path, opensForReading: options.readsOnly)
    grams = ProductGrams(options.tokenizer)
    passwords = PasswordHasher(
      cost: options.passwordCost, lanes: options.passwordLanes, registry: registry)
    self.pictureProcessor = pictureProcessor
    outside = options.outside
    now = options.now
  }

  /// Opens a market's file, and migrates it to the current version of its tables.
  ///
  /// An empty file is filled with the sample in the transaction that creates its tables: after a crash it
  /// is either full or still empty. The folder of the file must exist. Where opening fails the file is
  /// unchanged.
  ///
  /// - Throws: `.store(.cannotOpen)`, `.store(.notAStore)`, `.store(.newerVersion)`,
  ///   `.store(.beforeFirstRelease)`, `.store(.damaged)`, `.store(.readOnly)` for an outdated file that
  ///   cannot be written, `.store(.locked)` after `busyMilliseconds`.
  package static func open(
    at path: String, pictureProcessor: any PictureProcessor, options: Options,
    filledWith sample: (@Sendable () -> SeedMarket)? = nil
  ) async throws(RepositoryError) -> SQLiteStore {
    let store = SQLiteStore(path: path, pictureProcessor: pictureProcessor, options: options)
    let file = try await store.openedFile(mayBeMissing: options.createsFile)
    var leavesWriteAheadLog = file.hasLeftWriteAheadLog
    if file.state != .current {
      let grams = store.grams
      try await store.writer.use { database throws(StoreError) in
        if sample != nil { try database.beginFilling() }
        try database.file.migrate(to: .store) { () throws(StoreError) in
          try database.assignID(ofFileAt: path)
          if let sample {
            try ProductWriter(database, indexing: grams.text).insert(sample())
          }
        } converting: { _ throws(StoreError) in
          try database.assignID(ofFileAt: path)
          try database.mergeIndexOfInterruptedImport()
        }
      }
      leavesWriteAheadLog = try await store.pages.use { database throws(StoreError) in
        try !database.file.usesWriteAheadLog
      }
      if sample != nil {
        store.writer.useNext { database throws(StoreError) in try database.endFilling() }
      }
    } else if !file.usesWriteAheadLog, !options.readsOnly {
      // Another file system may share memory.
      try await store.writer.use { database throws(StoreError) in
        try database.file.useWriteAheadLog()
      }
    }
    store.hasLeftWriteAheadLog.store(leavesWriteAheadLog, ordering: .relaxed)
    if !options.readsOnly { try await store.resumeRenewals() }
    return store
  }

  private struct OpenedFile {
    var state = Schema.State.empty
    var usesWriteAheadLog = true
    var hasLeftWriteAheadLog = false
  }

  /// Opens the file with the connection of the first page, so that a current store opens it once.
  private func openedFile(mayBeMissing: Bool) async throws(RepositoryError) -> OpenedFile {
    do {
      return try await pages.use { database throws(StoreError) in
        OpenedFile(
          state: try database.file.state(of: .store),
          usesWriteAheadLog: try database.file.usesWriteAheadLog,
          hasLeftWriteAheadLog: database.file.hasLeftWriteAheadLog)
      }
    } catch .store(.cannotOpen) where mayBeMissing {
      // The writer creates the file, or throws the reason why it cannot.
      return OpenedFile()
    }
  }

  package var tokenizer: SearchTokenizer { grams.tokenizer }

  package func indexText(
    _ name: String, _ description: String, _ sellerName: String
  ) -> IndexText {
    grams.text(name, description, sellerName)
  }

  package func dataVersion() -> Int64? { versions.read() }

  package func changes(
    after cursor: ChangeCursor?, atMost limit: Int
  ) async throws(RepositoryError) -> ChangeBatch {
    try await pages.read { database throws(StoreError) in
      try database.loggedChanges(after: cursor, atMost: limit)
    }
  }

  package func clockSeconds() async throws(RepositoryError) -> Int64 { now() }

  /// Checks the file without waiting for a writer.
  /// - Throws: `.store(.readOnly)` for a read-only file; `.store` where it was moved or cannot be read.
  package func checkReadiness(forWriting: Bool) async throws(RepositoryError) {
    try await pages.read { database throws(StoreError) in try database.checkReadiness() }
    guard !forWriting || access(path, W_OK) == 0 else { throw .store(.readOnly) }
  }

  /// Every read is a transaction, which costs next to nothing in a file.
  /// - Throws: the `RepositoryError` of the body's `StoreError`; `.cancelled`.
  package func read<Answer: Sendable>(
    _ extent: ReadExtent,
    _ body: @escaping @Sendable (any MarketDatabase) throws(StoreError) -> Reading<Answer>
  ) async throws(RepositoryError) -> Answer {
    let connection =
      switch extent {
      case .statements, .oneState: pages
      case .search: searches
      case .files: files
      }
    return try await connection.read { database throws(StoreError) in
      try database.read(try body(database))
    }
  }

  package func write<Answer: Sendable>(
    isRepeatable: Bool,
    _ body: @escaping @Sendable (any MarketDatabase) throws(StoreError) -> Outcome<Reading<Answer>>
  ) async throws(RepositoryError) -> Answer {
    try await writer.write { database throws(StoreError) in
      switch try body(database) {
      case .success(let reading): .success(try database.read(reading))
      case .failure(let refusal): .failure(refusal)
      }
    }
  }

  package func beginBulk() async throws(RepositoryError) {
    // An empty file that no other connection has open is filled in a faster way.
    for connection in [pages, searches, counts, files] { await connection.closeUntilNextUse() }
    try await writer.use { database throws(StoreError) in try database.beginBulk() }
  }

  package func endBulk() async throws(RepositoryError) {
    try await writer.use { database throws(StoreError) in try database.endBulk() }
  }

  /// Checks that the file is still at its path.
  /// - Throws: `.store` where it was moved or replaced; another file at the path can be opened safely
  ///   only after all connections to this one are closed.
  func checkNotMoved() async throws(RepositoryError) {
    try await pages.read { database throws(StoreError) in try database.file.checkNotMoved() }
  }

  package func snapshot() async throws(RepositoryError) -> any MarketSnapshot {
    let path = path
    return try await StoreSnapshot(outside: outside) { () throws(StoreError) in
      let database = try SQLiteDatabase(
        opening: path, SQLiteConnection.Options(readsOnly: true, stopsWhenCancelled: true))
      try database.file.execute("BEGIN")
      _ = try database.integer("SELECT count(*) FROM sqlite_schema")
      return database
    }
  }

  /// The copy contains all pictures, including the external ones.
  /// - Throws: `.store` where the copy cannot be written; `.store(.picturesUnavailable)` where there are
  ///   external pictures and no storage is configured, or the storage fails.
  package func backup(
    to path: String, show: @escaping @Sendable (Double) -> Void
  ) async throws(RepositoryError) {
    let source = StoreConnection(
      "backup", path: self.path, options: SQLiteConnection.Options(readsOnly: true))
    try await source.use { database throws(StoreError) in
      try database.file.backup(to: path, show: show)
    }
    let copy = StoreConnection("copy", path: path, options: SQLiteConnection.Options())
    do throws(RepositoryError) {
      // Photos that wait for a form are no part of the market.
      try await copy.use { database throws(StoreError) in
        try database.file.execute("PRAGMA secure_delete = ON")
        try database.file.writing { () throws(StoreError) in try database.uploads.deleteAll() }
      }
      try await insertExternalPictures(into: copy)
      await copy.close()
    } catch {
      await copy.close()
      throw error
    }
  }

  /// Inserts the files of external pictures into a copy of the file.
  private func insertExternalPictures(
    into copy: StoreConnection
  ) async throws(RepositoryError) {
    while true {
      let pictures = try await copy.use { database throws(StoreError) in
        try database.pictures.pictures(after: 0, areOutside: true, atMost: 64)
      }
      guard !pictures.isEmpty else { return }
      for picture in pictures {
        let hash = picture.hash
        let file = try await copy.use { database throws(StoreError) in
          try database.pictures.file(of: hash, .original)
        }
        let original = try await file?.bytes(of: hash, .original, in: outside) ?? []
        let thumbnail = try await file?.bytes(of: hash, .thumbnail, in: outside) ?? []
        try await copy.use { database throws(StoreError) in
          try database.file.writing { () throws(StoreError) in
            _ = try database.pictures.moveIn(hash, original: original, thumbnail: thumbnail)
            // The external files belong to the market, not to the copy.
            try database.pictures.deleteLeases()
          }
        }
      }
    }
  }

  /// SQLite puts its files beside the target of a symbolic link.
  package var ownFiles: [String] {
    Set([path, Folder.realPath(of: path)]).sorted().flatMap { base in
      ["", "-wal", "-shm", "-journal"].map { base + $0 }
    }
  }

  /// The last connection to a file checkpoints the WAL and deletes the files beside it.
  package func close() async {
    versions.close()
    for connection in [pages, searches, counts, files, writer] { await connection.close() }
  }

  package func search(
    _ request: PageRequest, after key: OrderKey?, counted total: Int?
  ) async throws(RepositoryError) -> ProductPage? {
    guard let expression = grams.expression(for: request.query) else { return nil }
    let search = TextSearch(request, after: key, for: expression)
    guard let total else { return try await page(of: search) }
    // Without its other conditions the query has at least as many matches.
    let isUnknown = !search.narrowing.isEmpty && total <= ProductTotal.bound
    var page = try await page(of: search, matchCount: isUnknown ? nil : total)
    page.total = .exactly(total)
    return page
  }

  /// One page of a text query.
  ///
  /// Counting the matches takes most of the time. After a concurrent write the page and its count may
  /// not belong together, and both are read in one transaction.
  private func page(of search: TextSearch) async throws(RepositoryError) -> ProductPage {
    let expression = search.expression
    guard !expression.findsWhatDoesNotMatch else {
      return try await page(of: search, matchCount: nil)
    }
    let version = dataVersion()
    var page: ProductPage
    if search.isInOrder {
      let rows = rows
      page = try await searches.read { database throws(StoreError) in
        try database.newestPage(of: search, keeping: rows)
      }
      guard case .unknown = page.total else { return page }
      page.total = ProductTotal(
        try await total(of: expression.text, atMost: search.bound + 1), atMost: search.bound)
    } else {
      let matchCount = try await total(of: expression.text, atMost: ProductTotal.bound + 1)
      page = try await self.page(of: search, matchCount: matchCount)
    }
    if version != nil, version == dataVersion() { return page }
    return try await self.page(of: search, matchCount: nil)
  }

  private func page(
    of search: TextSearch, matchCount: Int?
  ) async throws(RepositoryError) -> ProductPage {
    let rows = rows
    return try await searches.read { database throws(StoreError) in
      try database.page(of: search, matchCount: matchCount, keeping: rows)
    }
  }

  package func searchTotal(of query: ProductQuery) async throws(RepositoryError) -> Int? {
    guard let expression = grams.expression(for: query) else { return nil }
    let narrowing = expression.narrowing(of: query)
    if narrowing.isEmpty, !expression.findsWhatDoesNotMatch {
      return try await total(of: expression.text, atMost: nil)
    }
    return try await searches.read { database throws(StoreError) in
      try database.exactTotal(of: expression, narrowing)
    }
  }

  /// Counts the matches of an expression, the two halves of the market concurrently.
  private func total(
    of expression: String, atMost limit: Int?
  ) async throws(RepositoryError) -> Int {
    let last = try await pages.read { database throws(StoreError) in
      try database.integer("SELECT max(id) FROM product") ?? 0
    }
    guard last >= SQLiteDatabase.smallestToDivide else {
      return try await Self.count(
        ProductCount(expression: expression, limit: limit), over: searches
      ).get()
    }
    let older = ProductCount(
      expression: expression, ids: Int64.min...last / 2, limit: limit)
    let newer = ProductCount(
      expression: expression, ids: last / 2 + 1...Int64.max, limit: limit)
    async let first = Self.count(older, over: searches)
    let second = try await Self.count(newer, over: counts).get()
    let sum = try await first.get() + second
    return min(limit ?? sum, sum)
  }

  private static func count(
    _ count: ProductCount, over connection: StoreConnection
  ) async -> Result<Int, RepositoryError> {
    do throws(RepositoryError) {
      return .success(
        try await connection.read { database throws(StoreError) in
          try database.count(count)
        })
    } catch {
      return .failure(error)
    }
  }

  /// The id of a market's file, which is opened briefly; nil where there is no such file, or it has none.
  package static func marketID(ofFileAt path: String) async -> MarketID? {
    let connection = StoreConnection(
      "identity", path: path,
      options: SQLiteConnection.Options(readsOnly: true, busyMilliseconds: 200))
    let id = try? await connection.use { database throws(StoreError) in
      guard try database.file.state(of: .store) == .current else { throw .foreign }
      return try database.identity.row()?.id
    }
    await connection.close()
    return id ?? nil
  }
}

extension SQLiteStore {
  /// Inspects a market's file without creating or changing it.
  ///
  /// - Throws: what `open(at:pictureProcessor:options:filledWith:)` throws.
  package static func inspect(at path: String) async throws(RepositoryError) -> StoreInspection {
    let newest = Schema.store.newestVersion
    let folder = Folder.containing(path)
    let mayMake = access(folder, W_OK | X_OK) == 0
    guard access(path, F_OK) == 0 else {
      let error = SystemError.last
      var status = stat()
      // A dangling symbolic link is not replaced by a new file.
      guard error.number == ENOENT, lstat(path, &status) != 0, access(folder, F_OK) == 0 else {
        throw .store(.cannotOpen(error.description))
      }
      return StoreInspection(.missing, version: newest, isWritable: mayMake)
    }
    let connection = StoreConnection(
      "inspection", path: path, options: SQLiteConnection.Options(readsOnly: true))
    let (state, version) = try await connection.use { database throws(StoreError) in
      (try database.file.state(of: .store), try database.file.version(of: .store))
    }
    await connection.close()
    let tables: StoreInspection.Tables =
      switch state {
      case .empty: .missing
      case .outdated: .outdated(version: Int(version))
      case .current: .current
      }
    return StoreInspection(tables, version: newest, isWritable: mayMake && access(path, W_OK) == 0)
  }
}
