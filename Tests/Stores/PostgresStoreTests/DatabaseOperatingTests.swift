import MarketModel
import MarketStore
import PostgresTestSupport
import SQLiteKit
import StoreCore
import TestSupport
import Testing

@testable import PostgresStore

/// What whoever runs a market in a database does.
@Suite(.cluster) struct DatabaseOperatingTests {
  @Test func `the program's orders reach the database, each with a line of log`() async throws {
    let address = try #require(TestCluster.shared).emptySchema()
    let store = try await PostgresMarketStore.open(at: address)
    let id = try await store.register(.sample()).id.rawValue
    let market = try ChildProcess.path(of: "market")
    let script = """
      exec 2>&1
      export LANG=C.UTF-8 HOME=/nonexistent
      echo an-identifier | \(market) seller set --id 6 --name 'Hana & Co' --store "$1"
      \(market) seller block 6 --store "$1"
      \(market) remove \(id) 99 --store "$1"
      echo status $?
      """

    let shell = try ChildProcess("/bin/sh", arguments: ["-c", script, "sh", address])
    var lines: [String] = []
    while let line = try shell.readLine() { lines.append(line) }

    let words = [
      " operator seller-set 6 ok", "Hana & Co is seller 6", " operator seller-block 6 ok",
      "Blocked Hana & Co (seller 6)", " operator remove \(id) ok", " operator remove 99 not-found",
      "Deleted product \(id): Bicycle", "market-server: There is no product 99", "status 4",
    ]
    #expect(lines.count == words.count)
    for (line, word) in zip(lines, words) { #expect(line.contains(word)) }
    let seller = SellerIdentifier(secret: "an-identifier")
    #expect(try await store.seller(of: seller)?.name == "Hana & Co")
    await #expect(throws: RepositoryError.blocked) {
      try await store.register(.sample(), by: .seller(seller))
    }
  }

  @Test func `a database without blocks and without what keys came with goes on as it was`()
    async throws
  {
    let cluster = try #require(TestCluster.shared)
    let address = try cluster.emptySchema()
    let key = IdempotencyKey(rawValue: "an old intent")
    let old = try await PostgresMarketStore.open(at: address)
    let kept = try await old.register(.sample(), by: .guest, key: key)
    try Self.takeBack(address, to: 3, in: cluster)

    let store = try await PostgresMarketStore.open(at: address)

    // Nobody knows what the old key came with.
    #expect(try await store.register(.sample(name: "Cup"), by: .guest, key: key) == kept)
    _ = try await store.remove(kept.id)
    await #expect(throws: RepositoryError.notFound) {
      try await store.register(.sample(), by: .guest, key: key)
    }
  }

  /// Takes the columns that came after a version off the tables of a market.
  private static func takeBack(
    _ address: String, to version: Int, in cluster: TestCluster
  ) throws {
    let reference = try PostgresConnection(to: cluster.emptySchema())
    for number in 1...version {
      let script = try FileContent(of: "Resources/schema/postgres-\(number).sql").bytes
      try reference.execute(String(decoding: script, as: UTF8.self))
    }
    let market = try PostgresConnection(to: address)
    let tables = Set(try columns(of: reference).map { $0[0] })
    for table in Set(try columns(of: market).map { $0[0] }).subtracting(tables) {
      try market.execute("DROP TABLE \(table)")
    }
    let functions = ["price_mark", "coarse_mark", "product_search_mark", "product_remark"]
    try market.execute("DROP FUNCTION \(functions.joined(separator: ", ")) CASCADE")
    let (present, former) = (try indexes(of: market), try indexes(of: reference))
    for index in present.keys where former[index] == nil {
      try market.execute("DROP INDEX IF EXISTS \(index)")
    }
    for column in try columns(of: market).subtracting(columns(of: reference)) {
      try market.execute("ALTER TABLE \(column[0]) DROP COLUMN \(column[1])")
    }
    for (index, definition) in former where present[index] == nil {
      try market.execute(definition)
    }
    try market.execute("UPDATE market_schema SET version = \(version)")
  }

  /// The indexes of a schema that belong to no constraint, and the statements that make them.
  private static func indexes(of connection: PostgresConnection) throws -> [String: String] {
    let rows = try connection.run(
      """
      SELECT indexname::text, replace(indexdef, quote_ident(schemaname) || '.', '')
      FROM pg_indexes WHERE schemaname = current_schema()
        AND NOT EXISTS (SELECT FROM pg_constraint WHERE conname = indexname)
      """)
    return Dictionary(uniqueKeysWithValues: rows.map { ($0.text(0), $0.text(1)) })
  }

  /// The tables of products and their columns.
  private static func columns(of connection: PostgresConnection) throws -> Set<[String]> {
    let rows = try connection.run(
      """
      SELECT table_name::text, column_name::text FROM information_schema.columns
      WHERE table_schema = current_schema() AND table_name <> 'market_schema'
      """)
    return Set(rows.map { [$0.text(0, atMost: 64), $0.text(1, atMost: 64)] })
  }
}
