import MarketModel
import PostgresTestSupport
import SQLiteKit
import StoreCore
import TestSupport
import Testing

@testable import PostgresStore

/// What a database says of the version of its log.
@Suite(.cluster, .timeLimit(.minutes(2))) struct LogVersionTests {
  @Test(arguments: 0..<16)
  func `one mark is never that of two logs, in whatever order transactions begin and end`(
    seed: Int
  ) async throws {
    let address = try #require(TestCluster.shared).emptySchema()
    _ = try await PostgresMarketStore.open(at: address)

    var run = try MarkRun(at: address, seed: UInt64(seed))
    try run.go(steps: 300)

    #expect(run.doubles == 0)
    // Some did end after later ones.
    #expect(run.lateCount > 0 && run.logs.count > 10)
  }

  @Test func `where nothing is open, nothing but a change of the log makes another mark`()
    async throws
  {
    let cluster = try TestCluster()
    let address = try cluster.emptySchema()
    let store = try await PostgresMarketStore.open(at: address)
    let id = try await store.register(.sample()).id
    let version = try #require(await store.askedDataVersion())

    let origin = AttemptOrigin(address: "192.0.2.1", author: .guest)
    try await store.changeAttempts(on: id, by: origin) { $0.wrongCount += 1 }
    #expect(await store.askedDataVersion() == version)

    _ = try await store.remove(id)
    #expect(await store.askedDataVersion() == version + 1)
  }

  @Test func `however many wait, they share a few questions to the database`() async throws {
    let address = try #require(TestCluster.shared).emptySchema()
    _ = try await PostgresMarketStore.open(at: address)
    let pool = ConnectionPool(
      "questions", count: 1, to: address, options: PostgresOptions(timeoutMilliseconds: 30_000))
    let (questions, waiting) = (SharedCounter(), SharedCounter())
    let version = MarketVersion {
      questions.rise()
      // Not before all others wait.
      await poll { waiting.value >= 500 }
      return await PostgresMarketStore.version(over: pool)
    }

    let versions = await withTaskGroup(of: Int64?.self) { group in
      for _ in 0..<500 {
        group.addTask {
          waiting.rise()
          return await version.asked()
        }
      }
      return await group.reduce(into: Set()) { $0.insert($1) }
    }

    #expect(versions == [1])
    #expect((1...5).contains(questions.value))
  }

  @Test func `a database that starts again is another one`() async throws {
    let cluster = try TestCluster()
    let store = try await PostgresMarketStore.open(at: cluster.emptySchema())
    let before = try #require(await store.askedDataVersion())

    try cluster.restart()

    var after: Int64?
    await poll {
      after = await store.askedDataVersion()
      return after != nil
    }
    #expect(after == before + 1)
  }
}

/// Transactions of several connections in a random order, and a reader of marks and logs.
private struct MarkRun {
  private struct Writer {
    let connection: PostgresConnection
    /// Number of its transaction; nil where there is none.
    var transaction: Int64?
    var hasWritten = false
  }

  /// The log that each mark was read with, in one transaction.
  private(set) var logs: [String: [Int64]] = [:]
  /// Marks that came with two logs.
  private(set) var doubles = 0
  /// Changes that became visible after those of a later transaction.
  private(set) var lateCount = 0

  private var random: SeededRandom
  private var writers: [Writer]
  private let reader: PostgresConnection
  private var newest: Int64 = 0

  init(at address: String, seed: UInt64) throws {
    let options = PostgresOptions(timeoutMilliseconds: 30_000)
    random = SeededRandom(seed: seed)
    writers = try (0..<5).map { _ in
      Writer(connection: try PostgresConnection(to: address, options))
    }
    reader = try PostgresConnection(to: address, options)
  }

  mutating func go(steps: Int) throws {
    for _ in 0..<steps {
      let writer = Int.random(in: writers.indices, using: &random)
      switch Int.random(in: 0..<6, using: &random) {
      case 0...1: try begin(writer)
      case 2...3: try write(writer)
      case 4: try end(writer, keeping: true)
      default: if Bool.random(using: &random) { try end(writer, keeping: false) }
      }
      try read()
    }
    for writer in writers.indices { try end(writer, keeping: true) }
    try read()
  }

  private mutating func begin(_ writer: Int) throws {
    guard writers[writer].transaction == nil else { return }
    try writers[writer].connection.begin(.begin)
    writers[writer].transaction = try writers[writer].connection.key(
      "SELECT pg_current_xact_id()::text::bigint", [])
  }

  private mutating func write(_ writer: Int) throws {
    guard writers[writer].transaction != nil else { return }
    let connection = writers[writer].connection
    try LogTable(connection).add([.one(.seller(Seller.guest.id))])
    try connection.settle()
    writers[writer].hasWritten = true
  }

  private mutating func end(_ writer: Int, keeping isKept: Bool) throws {
    guard let transaction = writers[writer].transaction else { return }
    try writers[writer].connection.run(isKept ? "COMMIT" : "ROLLBACK")
    if isKept, writers[writer].hasWritten {
      if transaction < newest { lateCount += 1 }
      newest = max(newest, transaction)
    }
    (writers[writer].transaction, writers[writer].hasWritten) = (nil, false)
  }

  private mutating func read() throws {
    let reader = reader
    let (answer, log) = try reader.transact(.reading) { () throws(StoreError) in
      Result<(VersionPoller.Answer, [Int64]), RepositoryError>.success(
        (
          try LogTable(reader).version(),
          try reader.run("SELECT id FROM change ORDER BY id").map { $0.integer(0) }
        ))
    }.get()
    guard case .mark(let mark) = answer else { throw UnexpectedError(description: "no mark") }
    if let known = logs[mark], known != log { doubles += 1 }
    logs[mark] = log
  }
}
