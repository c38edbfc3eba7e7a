import Expectations
import MarketModel
import PostgresTestSupport
import SQLiteKit
import StoreCore
import TestSupport
import Testing

@testable import PostgresStore

/// The log of changes of a database.
@Suite(.cluster) struct ChangeLogTests {
  @Test(arguments: 0..<24)
  func `in any order of transactions each change is told once, and no two logs have one mark`(
    seed: Int
  ) async throws {
    let (_, address) = try await TestCluster.emptyMarket()

    var run = try WriterRun(at: address, seed: UInt64(seed))
    try run.go(steps: 250)

    expect(run.told, run.committed)
    #expect(run.disorder.isEmpty)
    // The transaction that stays open to the end held no reader up.
    #expect(run.heldBack.isEmpty && !run.told.isEmpty)
    #expect(run.doubles == 0 && run.logs.count > 1)
  }

  @Test func `a place holds over a restart of the database`() async throws {
    let cluster = try TestCluster()
    let store = try await PostgresMarketStore.open(at: cluster.emptySchema())
    _ = try await store.register(.sample())
    let cursor = try await store.changes(after: nil, atMost: 1).cursor
    let before = try await store.register(.sample()).id

    try cluster.restart()
    let after = try await store.register(.sample()).id

    let batch = try await store.changes(after: cursor, atMost: 10)
    expect(batch.changes.map(\.product?.id), [before, after])
  }

  @Test func `tables that came from another database are told from now on`() async throws {
    let (first, address) = try await TestCluster.emptyMarket()
    let kept = try await first.changes(after: nil, atMost: 1).cursor
    let connection = try PostgresConnection(to: address)
    // As its transactions are numbered there.
    try connection.execute(
      """
      INSERT INTO change (transaction, nonce, at, kind, seller) VALUES (1000000000000, 7, 0, 3, 0)
      """)
    let foreign = SeenTransactions(newest: 1_000_000_000_000, nonce: 7, open: [])

    let store = try await PostgresMarketStore.open(at: address)
    let id = try await store.register(.sample()).id

    try await expect(store.changes(after: kept, atMost: 9).changes.map(\.product?.id), [id])
    let cursor = DatabaseCursor(seen: foreign).cursor
    #expect(try await store.changes(after: cursor, atMost: 9).isReset)
  }

  @Test func `a log that somebody emptied begins anew`() async throws {
    let (_, address) = try await TestCluster.emptyMarket()
    try PostgresConnection(to: address).execute("DELETE FROM change")

    let store = try await PostgresMarketStore.open(at: address)
    let cursor = try await store.changes(after: nil, atMost: 9).cursor
    let id = try await store.register(.sample()).id

    try await expect(store.changes(after: cursor, atMost: 9).changes.map(\.product?.id), [id])
  }

  @Test func `old changes go as far as they are neither young nor among the newest`()
    async throws
  {
    let (store, address) = try await TestCluster.emptyMarket()
    let connection = try PostgresConnection(to: address)
    let old = try await store.changes(after: nil, atMost: 1).cursor
    // Ten to a transaction.
    try connection.execute(
      """
      INSERT INTO change (transaction, nonce, at, kind, seller)
      SELECT 1 + n / 10, n, 0, 3, 0 FROM generate_series(0, 2999) AS n
      """)
    func count() throws -> Int64 {
      try connection.run("SELECT count(*) FROM change").first?.integer(0) ?? 0
    }
    func trim(_ seconds: Int64, _ count: Int64) throws {
      try connection.trimLog(to: LogRetention(seconds: seconds, count: count))
      try connection.drainPipeline()
    }

    try trim(86_400, 5_000)
    let all = try count()
    try trim(1 << 40, 1_000)
    let young = try count()
    for _ in 0..<3 { try trim(86_400, 1_000) }

    expect([all, young], [3_001, 3_001])
    try expect(count(), 1_010)
    #expect(try await store.changes(after: old, atMost: 10).isReset)
    let middle = DatabaseCursor(seen: SeenTransactions(newest: 250, nonce: 2_499, open: []))
    let batch = try await store.changes(after: middle.cursor, atMost: 10_000)
    #expect(!batch.isReset && batch.changes.count == 500)
  }

  @Test func `a database that does not number its transactions is written to without a log`()
    async throws
  {
    let address = try #require(TestCluster.shared).emptySchema()
    let connection = try PostgresConnection(to: address)
    let known = ["15.2", "15.2 (Debian 15.2-1)", "12.9", "15.2-YB-2025.1.0.0-b0"]

    #expect(connection.numbersTransactions)
    expect(
      known.map { PostgresConnection.numbersTransactions($0, isCockroach: false) },
      [true, true, false, false])
    #expect(!PostgresConnection.numbersTransactions("13.0.0", isCockroach: true))
  }

  @Test func `a place stays short however many transactions are open`() {
    let open = Array((1_000_000..<1_000_500) as Range<Int64>)
    let seen = SeenTransactions(newest: 1_002_000, nonce: .max >> 2, open: open)
    let cursor = DatabaseCursor(
      seen: seen, partial: DatabaseCursor.PartialBatch(end: seen, last: .max)
    ).cursor

    #expect(cursor.rawValue.utf8.count < 5_000)
    expect(DatabaseCursor(cursor)?.cursor, cursor)
  }
}

/// Transactions of several connections in a random order of steps, and readers that take turns.
private struct WriterRun {
  private struct Writer {
    let connection: PostgresConnection
    var isOpen = false
    /// What it has written and not committed; a product that it has written to is its own until then.
    var written: [Written] = []
  }

  struct Written: Hashable {
    let product: Int64
    let version: Int64
  }

  private(set) var committed: Set<Written> = []
  private(set) var told: Set<Written> = []
  /// Products whose changes were told twice or in another order.
  private(set) var disorder: [Written] = []
  /// What was not told while the first transaction was still open.
  private(set) var heldBack: Set<Written> = []
  /// The log that each mark was read with, in one transaction.
  private(set) var logs: [String: [Int64]] = [:]
  /// Marks that came with two logs.
  private(set) var doubles = 0

  private var random: SeededRandom
  private var writers: [Writer]
  private let readers: [PostgresConnection]
  private var cursor: ChangeCursor?
  private var versions: [Int64: Int64] = [:]
  private var last: [Int64: Int64] = [:]

  init(at address: String, seed: UInt64) throws {
    let options = PostgresOptions(timeoutMilliseconds: 30_000)
    random = SeededRandom(seed: seed)
    writers = try (0..<6).map { _ in
      Writer(connection: try PostgresConnection(to: address, options))
    }
    readers = try (0..<2).map { _ in try PostgresConnection(to: address, options) }
  }

  mutating func go(steps: Int) throws {
    try read()
    // The first one writes at once and commits last of all.
    try begin(0)
    try write(0)
    for _ in 0..<steps {
      let writer = Int.random(in: 1..<writers.count, using: &random)
      switch Int.random(in: 0..<8, using: &random) {
      case 0: try begin(writer)
      case 1...4: try write(writer)
      case 5: try end(writer, keeping: true)
      case 6: if Bool.random(using: &random) { try end(writer, keeping: false) }
      default: try read()
      }
      try readMark()
    }
    for writer in writers.indices.dropFirst() { try end(writer, keeping: true) }
    try readAll()
    heldBack = committed.subtracting(told)
    try end(0, keeping: true)
    try readAll()
  }

  /// Begins, and gets its number long before it writes to the log, as one does that waits for a lock.
  private mutating func begin(_ writer: Int) throws {
    guard !writers[writer].isOpen else { return }
    try writers[writer].connection.begin(.begin)
    try writers[writer].connection.run("SELECT pg_current_xact_id()::text::bigint")
    writers[writer].isOpen = true
  }

  private mutating func write(_ writer: Int) throws {
    guard writers[writer].isOpen else { return }
    let product = Int64.random(in: 1...20, using: &random)
    let isHeld = writers.indices.contains { other in
      other != writer && writers[other].written.contains { $0.product == product }
    }
    guard !isHeld else { return }
    let version = (versions[product] ?? 0) + 1
    versions[product] = version
    let change = ProductChange(
      id: Product.ID(rawValue: product), kind: .changed,
      version: ProductVersion(rawValue: String(version)), seller: Seller.guest.id)
    let connection = writers[writer].connection
    try connection.log([.one(.product(change))])
    try connection.drainPipeline()
    writers[writer].written.append(Written(product: product, version: version))
  }

  private mutating func end(_ writer: Int, keeping isKept: Bool) throws {
    guard writers[writer].isOpen else { return }
    try writers[writer].connection.run(isKept ? "COMMIT" : "ROLLBACK")
    if isKept { committed.formUnion(writers[writer].written) }
    writers[writer].isOpen = false
    writers[writer].written = []
  }

  @discardableResult
  private mutating func read() throws -> Int {
    let reader = readers[Int.random(in: 0..<readers.count, using: &random)]
    let limit = Int.random(in: 1...4, using: &random)
    let asked = cursor
    let batch = try reader.answer(.reading) { () throws(StoreError) in
      Outcome.success(reader.loggedChanges(after: asked, atMost: limit))
    }.get()
    guard let batch, !batch.isReset else { throw UnexpectedError(description: "a place was lost") }
    for case .product(let change) in batch.changes {
      let (id, version) = (change.id.rawValue, change.version.flatMap { Int64($0.rawValue) } ?? 0)
      let written = Written(product: id, version: version)
      if !told.insert(written).inserted || last[id] ?? 0 >= version { disorder.append(written) }
      last[id] = version
    }
    defer { cursor = batch.cursor }
    return batch.changes.count + (batch.cursor == cursor ? 0 : 1)
  }

  private mutating func readMark() throws {
    let reader = readers[0]
    let (answer, log) = try reader.transact(.reading) { () throws(StoreError) in
      Result<(VersionPoller.Answer, [Int64]), RepositoryError>.success(
        (
          try reader.logVersion(),
          try reader.run("SELECT id FROM change ORDER BY id").map { $0.integer(0) }
        ))
    }.get()
    guard case .state(let mark) = answer else { throw UnexpectedError(description: "no mark") }
    if let known = logs[mark], known != log { doubles += 1 }
    logs[mark] = log
  }

  private mutating func readAll() throws {
    while try read() > 0 {}
  }
}
