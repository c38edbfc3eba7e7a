import Expectations
import MarketModel
import PostgresTestSupport
import SQLiteKit
import StoreCore
import TestSupport
import Testing

@testable import PostgresStore

/// What counts of products say while changes are on their way to them.
@Suite(.cluster) struct BlockCountsTests {
  private static let all = [0, 1, 2, 3]

  private let address: String

  init() throws {
    address = try #require(TestCluster.shared).emptySchema()
  }

  private func open() async throws -> PostgresMarketStore {
    try await PostgresMarketStore.open(at: address)
  }

  /// The number of all products, whose changes are moved there or not.
  private func count(_ connection: PostgresConnection) throws -> Int {
    try connection.read(connection.total(of: Self.all))
  }

  private func pendingCount(_ connection: PostgresConnection) throws -> Int64? {
    try connection.run("SELECT count(*) FROM block_change").first?.integer(0)
  }

  private func note(
    _ id: Int64, from before: Int? = nil, to after: Int?, over connection: PostgresConnection
  ) throws {
    try connection.countProduct(Product.ID(rawValue: id), from: before, to: after)
    try connection.drainPipeline()
  }

  @Test func `writers wait for no other, and each counts from its commit on`() async throws {
    _ = try await open()
    let (first, second, reader) = (
      try PostgresConnection(to: address), try PostgresConnection(to: address),
      try PostgresConnection(to: address)
    )

    try first.execute("BEGIN")
    try second.execute("BEGIN")
    try note(1, to: 1, over: first)
    try note(2, to: 3, over: second)
    try second.execute("COMMIT")
    try reader.mergePendingCounts()
    try expect(count(reader), 1)
    try first.execute("COMMIT")

    try expect(count(reader), 2)
    try expect(pendingCount(reader), 1)
    try reader.mergePendingCounts()
    try expect(count(reader), 2)
    try expect(pendingCount(reader), 0)
  }

  @Test(arguments: 0..<4) func `counts, version and places are right at each step, in any order`(
    seed: Int
  ) async throws {
    _ = try await open()
    var random = SeededRandom(seed: UInt64(seed))
    let connection = try PostgresConnection(to: address)
    var states: [Int64: Int] = [:]
    for step in 1...150 {
      // Ids of several blocks of each level.
      let id = Int64.random(in: 1...40, using: &random) * 7_001
      let state = Bool.random(using: &random) ? Int.random(in: 0...3, using: &random) : nil
      if states[id] != nil || state != nil {
        let version = try #require(try connection.productsVersion())
        try note(id, from: states[id], to: state, over: connection)
        states[id] = state
        try expect(#require(try connection.productsVersion()), version + 1)
      }
      if Int.random(in: 0..<8, using: &random) == 0 {
        let version = try #require(try connection.productsVersion())
        try connection.mergePendingCounts()
        try expect(#require(try connection.productsVersion()), version)
      }
      guard step % 10 == 0 else { continue }
      for wanted in [Self.all, [1, 3], [2]] {
        let newest = states.filter { wanted.contains($0.value) }.keys.sorted(by: >)
        let count = try connection.read(connection.total(of: wanted))
        expect(count, newest.count)
        for offset in 0...newest.count {
          let place = try connection.position(atOffset: offset, in: wanted)
          let expected = offset < newest.count ? newest[offset] : nil
          // The block of the product, and how many newer ones of that block are before it.
          expect(place?.after, expected.map { OrderKey(newestBelow: ($0 >> 7 + 1) << 7) })
          expect(
            place?.offset, expected.map { id in newest.count { $0 > id && $0 >> 7 == id >> 7 } })
        }
      }
    }
  }

  @Test func `several servers that move changes at once count each of them once`() async throws {
    _ = try await open()
    let address = address
    try await withThrowingTaskGroup(of: Void.self) { group in
      for writer in 0..<4 {
        group.addTask {
          let connection = try PostgresConnection(to: address)
          for number in 0..<50 {
            let id = Product.ID(rawValue: Int64(writer * 1_000 + number))
            try connection.countProduct(id, from: nil, to: 1)
            try connection.drainPipeline()
            if number % 3 == 0 { try connection.mergePendingCounts() }
          }
        }
      }
      try await group.waitForAll()
    }

    let reader = try PostgresConnection(to: address)
    try expect(count(reader), 200)
    try reader.mergePendingCounts()
    try expect(reader.run("SELECT sum(state_1) FROM block WHERE level = 2").count, 1)
    try expect(count(reader), 200)
    try expect(reader.productsVersion(), 200)
  }

  @Test func `what is written goes to the counts by itself, also after a server has stopped`()
    async throws
  {
    let store = try await open()
    let id = try await store.register(.sample()).id
    let reader = try PostgresConnection(to: address)
    let moved: SQL = "SELECT state_0 + state_1 + state_2 + state_3 FROM block WHERE level = 2"
    try await poll { try reader.run(moved).first?.integer(0) == 1 }

    try note(id.rawValue, from: 1, to: nil, over: reader)
    let other = try await open()

    try expect(reader.run(moved).first?.integer(0), 0)
    try await expect(other.page(PageRequest()).total, .exactly(0))
  }

  @Test func `tables that came from a database with other numbers count on`() async throws {
    let store = try await open()
    _ = try await store.register(.sample())
    let connection = try PostgresConnection(to: address)
    // As a dump of a database that had come further.
    try connection.execute(
      """
      UPDATE block_settled SET before = 1000000000;
      INSERT INTO block_change VALUES (1000000007, 900, NULL, 1);
      """)
    let restored = try await open()

    _ = try await restored.register(.sample())

    try await expect(restored.page(PageRequest()).total, .exactly(3))
  }

  @Test func `readers pass over what was moved long ago, in front of a snapshot that stays open`()
    async throws
  {
    _ = try await open()
    let (holder, writer) = (
      try PostgresConnection(to: address), try PostgresConnection(to: address)
    )
    try writer.execute("CREATE TABLE mug (number bigint)")
    try holder.execute("BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT * FROM mug")
    try writer.execute(
      """
      INSERT INTO block_change SELECT 3, n, 1, 1 FROM generate_series(1, 20000) AS n
      """)
    try writer.mergePendingCounts()
    try writer.execute("ANALYZE block_change")

    let plan = try writer.run(
      SQL(
        "EXPLAIN (ANALYZE, BUFFERS, COSTS OFF) "
          + PostgresConnection.counting(Self.all).text.replacing("$1", with: "2"))
    ).map { $0.text(0) }

    let buffers = plan.first { $0.contains("Buffers: shared hit=") }
    let hits = buffers?.split(separator: "hit=").last.flatMap { Int($0.prefix { $0.isNumber }) }
    #expect(try #require(hits) < 20, "\(plan)")
  }
}
