import Expectations
import MarketModel
import PostgresTestSupport
import SQLiteKit
import StoreCore
import TestSupport
import Testing

@testable import PostgresStore

/// What a database says of the version of its log.
@Suite(.cluster) struct LogVersionTests {
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
    await expect(store.askedDataVersion(), version)

    _ = try await store.remove(id)
    await expect(store.askedDataVersion(), version + 1)
  }

  @Test func `however many wait, they share a few questions to the database`() async throws {
    let (_, address) = try await TestCluster.emptyMarket()
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

    expect(versions, [1])
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
    expect(after, before + 1)
  }
}
