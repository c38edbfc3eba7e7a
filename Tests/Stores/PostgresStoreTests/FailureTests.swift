import Dispatch
import Expectations
import MarketModel
import MarketStore
import PostgresTestSupport
import SQLiteKit
import StoreCore
import TestSupport
import Testing

@testable import PostgresStore

/// Each on a server of its own, which is stopped while the store is open.
@Suite(.cluster) struct FailureTests {
  /// A store whose statements may take so many milliseconds: long, unless a test waits for them.
  private func store(at address: String, timeout: Int = 60_000) async throws -> PostgresMarketStore
  {
    var options = PostgresMarketStore.Options.forTests
    options.timeoutMilliseconds = timeout
    options.searchTimeoutMilliseconds = timeout
    return try await PostgresMarketStore.open(at: address, options)
  }

  @Test func `after a restart of the database the store goes on by itself`() async throws {
    let cluster = try TestCluster()
    let store = try await store(at: cluster.emptySchema())
    let kept = try await store.register(.sample())
    _ = try await store.page(PageRequest(query: ProductQuery(text: "bicycle")))

    try cluster.restart()

    try await expect(store.detail(of: kept.id), kept)
    try await expect(
      store.page(PageRequest(query: ProductQuery(text: "bicycle"))).products.count, 1)
    try cluster.restart()
    _ = try await store.register(.sample())
    try await expect(store.page(PageRequest()).total, .exactly(2))
  }

  @Test func `while the database is down nothing hangs, and it may be tried again`() async throws {
    let cluster = try TestCluster()
    let store = try await store(at: cluster.emptySchema())
    try cluster.stop()

    let error = await #expect(throws: RepositoryError.self) { try await store.page(PageRequest()) }

    guard case .store(.unavailable) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    expect(error?.isTransient, true)
  }

  @Test func `an impossible row is a failure that may pass, and damages no other`() async throws {
    let address = try #require(TestCluster.shared).emptySchema()
    let store = try await store(at: address)
    let kept = try await store.register(.sample()).id
    let broken = try await store.register(.sample()).id

    try PostgresConnection(to: address).execute(
      """
      INSERT INTO seller (id, name) VALUES (\(Int64.min + 1), 'Nobody');
      UPDATE product SET seller = \(Int64.min + 1) WHERE id = \(broken.rawValue)
      """)

    let error = await #expect(throws: RepositoryError.self) { try await store.detail(of: broken) }
    expect(error?.isTransient, true)
    try await expect(store.detail(of: kept).id, kept)
  }

  @Test func `where nothing answers a store is not opened, and says why`() async throws {
    let folder = try TemporaryFolder()

    let error = await #expect(throws: RepositoryError.self) {
      try await store(at: "postgresql://market@/postgres?host=\(folder.path)")
    }

    guard case .store(.unavailable(let reason)) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(reason.contains("No such file or directory"))
  }

  @Test(arguments: [(999, StoreFailure.newerVersion), (15, .beforeFirstRelease)])
  func `tables of a version that is not ours are left alone`(
    version: Int, expected: StoreFailure
  ) async throws {
    let cluster = try #require(TestCluster.shared)
    let address = try cluster.emptySchema()
    _ = try await store(at: address)
    try cluster.run("UPDATE market_schema SET version = \(version)", at: address)

    await #expect(throws: RepositoryError.store(expected)) { try await store(at: address) }
  }

  @Test func `who waits too long for a locked row is told so`() async throws {
    let cluster = try #require(TestCluster.shared)
    let address = try cluster.emptySchema()
    let other = try await self.store(at: address)
    let id = try await other.register(.sample()).id
    let store = try await store(at: address, timeout: 1_000)

    let (held, isHeld) = AsyncStream<Void>.makeStream()
    let release = DispatchSemaphore(value: 0)
    // The body of one transaction holds the row until the other has given up.
    async let holder: Void = other.changeAttempts(
      on: id, by: AttemptOrigin(address: "192.0.2.1", author: .guest)
    ) { _ in
      isHeld.finish()
      release.wait()
    }
    for await _ in held {}
    await #expect(throws: RepositoryError.store(.locked)) {
      try await store.update(
        id, with: ProductPatch(stock: 1), password: Password("secret"), by: .guest, expecting: nil)
    }
    release.signal()
    try await holder
  }

  @Test func `what nobody waits for any more is ended in the database`() async throws {
    let store = try await store(at: #require(TestCluster.shared).emptySchema())

    let outcome = try await store.cancelled { connection throws(StoreError) in
      try connection.run("SELECT pg_sleep(50)")
    }

    #expect(throws: RepositoryError.cancelled) { try outcome.result.get() }
    #expect(outcome.duration < .seconds(30))
    #expect(try await store.page(PageRequest()).products.isEmpty)
  }

  @Test func `what comes after the statement that was ended is ended too`() async throws {
    let store = try await store(at: #require(TestCluster.shared).emptySchema())

    let outcome = try await store.cancelled { connection throws(StoreError) in
      for _ in 1...3 { _ = try? connection.run("SELECT pg_sleep(50)") }
    }

    #expect(outcome.duration < .seconds(30))
  }
}

extension PostgresMarketStore {
  /// Cancels a body while it runs, and tells what came of it and after how long.
  fileprivate func cancelled(
    _ body: @escaping @Sendable (PostgresConnection) throws(StoreError) -> Void
  ) async throws -> (result: Result<Void, any Error>, duration: Duration) {
    let (running, isRunning) = AsyncStream<Void>.makeStream()
    let start = ContinuousClock.now
    let task = Task {
      try await transact(.reading, over: searches) { database throws(StoreError) in
        isRunning.finish()
        return .success(try body(database))
      }
    }
    for await _ in running {}
    task.cancel()
    let result = await task.result
    return (result, ContinuousClock.now - start)
  }
}
