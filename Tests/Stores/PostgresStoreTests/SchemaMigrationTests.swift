import MarketModel
import MarketStore
import PostgresTestSupport
import SQLiteKit
import StoreCore
import TestSupport
import Testing

@testable import PostgresStore

/// Tables of older versions, as a database that is in use has them.
@Suite(.cluster, .timeLimit(.minutes(1))) struct SchemaMigrationTests {
  /// The address of a schema with the tables of a version.
  private func tables(ofVersion version: Int) throws -> String {
    let address = try #require(TestCluster.shared).emptySchema()
    let connection = try PostgresConnection(to: address)
    for number in 1...version {
      let script = try FileContent(of: "Resources/schema/postgres-\(number).sql").bytes
      try connection.execute(String(decoding: script, as: UTF8.self))
    }
    try connection.execute(
      """
      CREATE TABLE market_schema (
        id bigint PRIMARY KEY CHECK (id = 1), version bigint NOT NULL);
      INSERT INTO market_schema (id, version) VALUES (1, \(version));
      """)
    return address
  }

  private func open(_ address: String, timeout: Int = 30_000) async throws -> PostgresMarketStore {
    var options = PostgresMarketStore.Options.forTests
    options.timeoutMilliseconds = timeout
    return try await PostgresMarketStore.open(at: address, options)
  }

  /// Whether the indexes of later versions are there and of use.
  private func hasIndexes(_ address: String) throws -> Bool {
    let connection = try PostgresConnection(to: address)
    return try connection.run(
      """
      SELECT count(*) FROM pg_index WHERE indisvalid AND indexrelid IN (
        to_regclass('idempotency_created'), to_regclass('seller_of_name'))
      """
    ).first?.integer(0) == 2
  }

  @Test func `tables get their indexes however long others take, who go on writing`()
    async throws
  {
    let address = try tables(ofVersion: 1)
    let holder = try PostgresConnection(to: address)
    let writer = try PostgresConnection(
      to: address, PostgresOptions(timeoutMilliseconds: 900))
    try holder.execute("BEGIN; INSERT INTO idempotency VALUES (0, 'held', 1, 1)")

    async let opened = open(address, timeout: 500)
    for number in 1...20 {
      try writer.run(
        "INSERT INTO idempotency VALUES (0, $1, 1, 1)", [.blob([UInt8(number)])])
    }
    try holder.execute("SELECT pg_sleep(1); COMMIT")
    _ = try await opened.register(.sample())

    #expect(try hasIndexes(address))
  }

  @Test func `an index that was left unfinished is made again`() async throws {
    let address = try tables(ofVersion: 1)
    let connection = try PostgresConnection(to: address)
    try connection.execute(
      """
      CREATE INDEX idempotency_created ON idempotency (created);
      UPDATE pg_index SET indisvalid = false
      WHERE indexrelid = 'idempotency_created'::regclass;
      """)

    _ = try await open(address)

    #expect(try hasIndexes(address))
  }

  @Test(arguments: [1, 2]) func `servers that start at once on older tables all serve`(
    version: Int
  ) async throws {
    let address = try tables(ofVersion: version)

    let stores = try await withThrowingTaskGroup(of: PostgresMarketStore.self) { group in
      for _ in 1...4 { group.addTask { try await open(address) } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    _ = try await stores[0].register(.sample())

    for store in stores { #expect(try await store.page(PageRequest()).total == .exactly(1)) }
    #expect(try hasIndexes(address))
  }

  @Test func `a server that was stopped between two steps is followed by one that goes on`()
    async throws
  {
    let address = try tables(ofVersion: 1)
    let connection = try PostgresConnection(to: address)
    try connection.execute(
      """
      CREATE TABLE arrival (key bytea PRIMARY KEY);
      ALTER TABLE market_schema ADD COLUMN step bigint NOT NULL DEFAULT 0;
      UPDATE market_schema SET step = 1;
      """)

    _ = try await open(address)

    #expect(try hasIndexes(address))
  }

  @Test func `a script is statements and, apart from them, indexes`() throws {
    let script = SchemaScript(
      """
      -- What it is for; twice.
      CREATE TABLE mug (
        -- One.
        id bigint
      );
      ALTER TABLE mug ADD COLUMN name text;
      CREATE UNIQUE INDEX mug_name
        ON mug (name) WHERE id > 0;
      DROP TABLE cup;
      """)

    #expect(script.steps.count == 3)
    guard case .statements(let first) = script.steps[0], case .index(let index) = script.steps[1]
    else {
      Issue.record("\(script.steps)")
      return
    }
    #expect(first.count == 2)
    #expect(
      index.concurrentStatement
        == "CREATE UNIQUE INDEX CONCURRENTLY mug_name ON mug (name) WHERE id > 0")
  }

  @Test func `a database without blocks and without what keys came with goes on as it was`()
    async throws
  {
    let address = try #require(TestCluster.shared).emptySchema()
    let key = IdempotencyKey(rawValue: "an old intent")
    let old = try await PostgresMarketStore.open(at: address)
    let kept = try await old.register(.sample(), by: .guest, key: key)
    try takeBack(address, to: 3)

    let store = try await PostgresMarketStore.open(at: address)

    // The request of the old key is unknown.
    #expect(try await store.register(.sample(name: "Cup"), by: .guest, key: key) == kept)
    _ = try await store.remove(kept.id)
    await #expect(throws: RepositoryError.notFound) {
      try await store.register(.sample(), by: .guest, key: key)
    }
  }

  /// Takes the columns that came after a version off the tables of a market.
  private func takeBack(_ address: String, to version: Int) throws {
    let reference = try PostgresConnection(to: tables(ofVersion: version))
    let market = try PostgresConnection(to: address)
    let tables = Set(try columns(of: reference).map { $0[0] })
    for table in Set(try columns(of: market).map { $0[0] }).subtracting(tables) {
      try market.execute("DROP TABLE \(table)")
    }
    let functions = try market.run(
      """
      SELECT oid::regprocedure::text FROM pg_proc
      WHERE pronamespace = current_schema()::regnamespace AND NOT EXISTS (
        SELECT FROM pg_depend WHERE objid = pg_proc.oid AND deptype = 'e')
      """)
    for function in functions.map({ $0.text(0) }) {
      try market.execute("DROP FUNCTION \(function) CASCADE")
    }
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
  private func indexes(of connection: PostgresConnection) throws -> [String: String] {
    let rows = try connection.run(
      """
      SELECT indexname::text, replace(indexdef, quote_ident(schemaname) || '.', '')
      FROM pg_indexes WHERE schemaname = current_schema()
        AND NOT EXISTS (SELECT FROM pg_constraint WHERE conname = indexname)
      """)
    return Dictionary(uniqueKeysWithValues: rows.map { ($0.text(0), $0.text(1)) })
  }

  /// The tables of products and their columns.
  private func columns(of connection: PostgresConnection) throws -> Set<[String]> {
    let rows = try connection.run(
      """
      SELECT table_name::text, column_name::text FROM information_schema.columns
      WHERE table_schema = current_schema() AND table_name <> 'market_schema'
      """)
    return Set(rows.map { [$0.text(0, atMost: 64), $0.text(1, atMost: 64)] })
  }

  @Test func `a look at a database says what starting would do and does nothing`() async throws {
    let cluster = try #require(TestCluster.shared)
    let newest = SchemaMigration.newestVersion
    let empty = try cluster.emptySchema()
    let address = try cluster.emptySchema()
    _ = try await PostgresMarketStore.open(at: address)

    let missing = try await PostgresMarketStore.inspect(at: empty)
    #expect(missing == StoreInspection(.missing, version: newest, isWritable: true))
    #expect(try await PostgresMarketStore.inspect(at: empty).tables == .missing)
    #expect(try await PostgresMarketStore.inspect(at: address).tables == .current)
    try cluster.run("UPDATE market_schema SET version = 3", at: address)
    #expect(try await PostgresMarketStore.inspect(at: address).tables == .outdated(version: 3))
    try cluster.run("UPDATE market_schema SET version = 1000", at: address)
    await #expect(throws: RepositoryError.store(.newerVersion)) {
      try await PostgresMarketStore.inspect(at: address)
    }
  }
}
