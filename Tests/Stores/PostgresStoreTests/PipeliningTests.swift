import Expectations
import PostgresTestSupport
import SQLiteKit
import StoreCore
import Testing

@testable import PostgresStore

/// Statements that go to the database together.
@Suite(.cluster) struct PipeliningTests {
  private static let keeping: SQL = "INSERT INTO mug VALUES ($1)"

  private func connection(timeout: Int = 30_000) throws -> PostgresConnection {
    let address = try #require(TestCluster.shared).emptySchema()
    let connection = try PostgresConnection(
      to: address, PostgresOptions(timeoutMilliseconds: timeout))
    try connection.execute("CREATE TABLE mug (number bigint PRIMARY KEY)")
    return connection
  }

  private func mugs(_ connection: PostgresConnection) throws -> [Int64] {
    try connection.run("SELECT number FROM mug ORDER BY number").map { $0.integer(0) }
  }

  private func writing(
    _ connection: PostgresConnection,
    _ body: () throws(StoreError) -> Result<Void, StoreError>
  ) throws(StoreError) {
    _ = try connection.transact(.writing, body)
  }

  @Test func `each of several statements has its own answer, behind what was posted`() throws {
    let connection = try connection()

    try connection.post(Self.keeping, [7])
    let answers = try connection.rows(of: [
      Query("SELECT number FROM mug"),
      Query("SELECT $1", [.integer(8)], isPlannedAnew: true),
      Query("SELECT $1", [.integer(9)]),
    ])

    expect(answers.map { $0.first?.integer(0) }, [7, 8, 9])
    #expect(!connection.isInTransaction)
  }

  @Test func `who waits is told of the first failure, and nothing behind it happens`() throws {
    let connection = try connection()
    // Preparing waits, so both are prepared before.
    try connection.run(Self.keeping, [1])
    try connection.run("SELECT 1 / $1", [1])

    #expect(throws: StoreError.failed(state: "22012")) {
      try connection.post("SELECT 1 / $1", [0])
      try connection.post(Self.keeping, [1])
      try connection.run(Self.keeping, [2])
    }

    try expect(mugs(connection), [1])
  }

  @Test func `a posted statement that fails undoes its transaction`() throws {
    let connection = try connection()
    try connection.run(Self.keeping, [1])

    #expect(throws: StoreError.conflict) {
      try writing(connection) { () throws(StoreError) in
        try connection.post(Self.keeping, [2])
        try connection.post(Self.keeping, [1])
        return .success(())
      }
    }

    #expect(!connection.isInTransaction)
    try expect(mugs(connection), [1])
  }

  @Test func `what was posted before a refusal is undone, also where it fails`() throws {
    let connection = try connection()
    try connection.run(Self.keeping, [1])

    try writing(connection) { () throws(StoreError) in
      try connection.post(Self.keeping, [2])
      try connection.post(Self.keeping, [1])
      return .failure(.readOnly)
    }

    #expect(!connection.isInTransaction)
    try expect(mugs(connection), [1])
  }

  @Test func `where the database gives up before a commit nothing has happened`() throws {
    let connection = try connection(timeout: 200)

    #expect(throws: StoreError.timedOut) {
      try writing(connection) { () throws(StoreError) in
        try connection.post(Self.keeping, [1])
        try connection.post("SELECT pg_sleep(20)")
        return .success(())
      }
    }

    #expect(!connection.isBroken)
    try expect(mugs(connection), [])
  }

  @Test func `where a connection is lost on the way to a commit nobody knows`() throws {
    let connection = try connection()

    #expect(throws: StoreError.commitUnknown) {
      try writing(connection) { () throws(StoreError) in
        try connection.post("SELECT pg_terminate_backend(pg_backend_pid())")
        return .success(())
      }
    }
  }

  @Test func `statements sent together are ended once nobody waits for them`() async throws {
    let store = try await TestCluster.emptyStore()
    let (running, isRunning) = AsyncStream<Void>.makeStream()

    let task = Task {
      try await store.transact(.none, over: store.searches) { database throws(StoreError) in
        isRunning.finish()
        _ = try database.rows(of: [
          Query("SELECT pg_sleep(25)"), Query("SELECT pg_sleep(24)"),
        ])
        return .success(())
      }
    }
    for await _ in running {}
    task.cancel()

    await #expect(throws: (any Error).self) { try await task.value }
    let next = try await store.transact(.none, over: store.searches) {
      database throws(StoreError) in
      .success(try database.run("SELECT 5::bigint").first?.integer(0))
    }
    expect(next, 5)
  }
}
