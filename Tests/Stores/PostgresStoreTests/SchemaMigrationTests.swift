import Expectations
import MarketModel
import MarketStore
import PostgresTestSupport
import SQLiteKit
import StoreCore
import TestSupport
import Testing

@testable import PostgresStore

/// The ladder of a database's tables, with a made-up second step.
@Suite(.cluster) struct SchemaMigrationTests {
  private static let next = SchemaScript(
    """
    -- What a version to come adds.
    CREATE TABLE mug (id bigint PRIMARY KEY, size bigint);
    INSERT INTO mug (id, size) VALUES (1, 250);
    ALTER TABLE product ADD COLUMN mug bigint;
    CREATE INDEX product_of_stock ON product (stock);
    """)
  private static let later = SchemaMigration.scripts + [next]
  /// The version of the program's tables, and with the made-up step.
  private static let version = Int64(SchemaMigration.newestVersion)
  private static let laterVersion = version + 1

  /// The address of a market with the tables of this version, and a product.
  private func market() async throws -> String {
    let (store, address) = try await TestCluster.emptyMarket()
    _ = try await store.register(.sample())
    await store.close()
    return address
  }

  private func migrate(
    _ address: String, by scripts: [SchemaScript] = later, timeout: Int = 30_000
  ) async throws {
    let pool = ConnectionPool(
      "ladder", count: 1, to: address, options: PostgresOptions(timeoutMilliseconds: timeout))
    try await SchemaMigration(of: address, over: pool, by: scripts).run()
  }

  /// The version of the tables, how many rows the made-up step has made, and whether its index can be
  /// used.
  private func state(_ address: String) throws -> [Int64?] {
    let connection = try PostgresConnection(to: address)
    let version = try connection.integer("SELECT version FROM market_schema")
    let isThere = try connection.integer("SELECT 1 FROM pg_class WHERE oid = to_regclass('mug')")
    return [
      version, isThere == nil ? nil : try connection.integer("SELECT count(*) FROM mug"),
      try connection.integer(
        """
        SELECT count(*) FROM pg_index
        WHERE indisvalid AND indexrelid = to_regclass('product_of_stock')
        """),
    ]
  }

  @Test func `the ladder begins at 101, which an older check calls newer`() async throws {
    let address = try await market()

    let version = try #require(try state(address)[0])

    expect(version, Self.version)
    expect(Schema.firstVersion, 101)
    // The check of version 0.2.0, before anything is written.
    #expect(version > 15)
  }

  @Test func `however many servers start at once, one runs the step and all serve`() async throws {
    let address = try await market()

    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 1...6 { group.addTask { try await migrate(address) } }
      try await group.waitForAll()
    }

    try expect(state(address), [Self.laterVersion, 1, 1])
    let connection = try PostgresConnection(to: address)
    try expect(connection.integer("SELECT count(*) FROM product WHERE mug IS NULL"), 1)
  }

  @Test func `however many servers find an empty database, one makes the tables`() async throws {
    let address = try #require(TestCluster.shared).emptySchema()

    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 1...6 { group.addTask { try await migrate(address) } }
      try await group.waitForAll()
    }

    try expect(state(address), [Self.laterVersion, 1, 1])
  }

  @Test func `a step that fails leaves what was before it`() async throws {
    let address = try await market()
    let broken = SchemaScript(
      "CREATE TABLE mug (id bigint);\nINSERT INTO mug (id) VALUES (1);\nDROP TABLE nothing;\n")

    await #expect(throws: StoreError.self) {
      try await migrate(address, by: SchemaMigration.scripts + [broken])
    }

    try expect(state(address), [Self.version, nil, 0])
    let store = try await PostgresMarketStore.open(at: address)
    try await expect(store.page(PageRequest()).total, .exactly(1))
  }

  @Test func `who writes is never held up for long, however long others hold the tables`()
    async throws
  {
    let address = try await market()
    let holder = try PostgresConnection(to: address)
    let writer = try PostgresConnection(to: address, PostgresOptions(timeoutMilliseconds: 2_000))
    try holder.execute("BEGIN; UPDATE product SET stock = stock")

    async let migrated: Void = migrate(address)
    for number in 1...20 {
      try writer.run(
        "INSERT INTO imported_row (key) VALUES ($1)", [.blob([UInt8(number)])])
      try expect(writer.integer("SELECT count(*) FROM product"), 1)
    }
    try holder.execute("SELECT pg_sleep(1); COMMIT")
    try await migrated

    try expect(state(address), [Self.laterVersion, 1, 1])
  }

  @Test func `an index that was left unfinished is made again`() async throws {
    let address = try await market()
    let connection = try PostgresConnection(to: address)
    try connection.execute(
      """
      CREATE INDEX product_of_stock ON product (stock);
      UPDATE pg_index SET indisvalid = false
      WHERE indexrelid = 'product_of_stock'::regclass;
      """)

    try await migrate(address)

    try expect(state(address), [Self.laterVersion, 1, 1])
  }

  @Test func `a server that was stopped between two steps is followed by one that goes on`()
    async throws
  {
    let address = try await market()
    let connection = try PostgresConnection(to: address)
    try connection.execute(
      """
      CREATE TABLE mug (id bigint PRIMARY KEY, size bigint);
      ALTER TABLE product ADD COLUMN mug bigint;
      UPDATE market_schema SET step = 1;
      """)

    try await migrate(address)

    try expect(state(address), [Self.laterVersion, 0, 1])
  }

  @Test func `tables of a later version are refused, and stay as they are`() async throws {
    let address = try await market()
    try await migrate(address)

    await #expect(throws: StoreError.newerVersion) {
      try await migrate(address, by: SchemaMigration.scripts)
    }

    try expect(state(address), [Self.laterVersion, 1, 1])
  }

  @Test func `tables from before version 1 are refused, and stay as they are`() async throws {
    let address = try #require(TestCluster.shared).emptySchema()
    let connection = try PostgresConnection(to: address)
    // As version 0.2.0 has left them.
    try connection.execute(
      """
      CREATE TABLE market_schema (id bigint PRIMARY KEY CHECK (id = 1), version bigint NOT NULL);
      INSERT INTO market_schema (id, version) VALUES (1, 15);
      """)
    let objects: SQL = """
      SELECT string_agg(relname || ' ' || relnatts, ' ' ORDER BY relname) FROM pg_class
      WHERE relnamespace = current_schema()::regnamespace
      """
    let before = try connection.run(objects).first?.text(0)

    await #expect(throws: StoreError.beforeFirstRelease) { try await migrate(address) }

    try expect(connection.run(objects).first?.text(0), before)
    try expect(connection.integer("SELECT version FROM market_schema"), 15)
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

    expect(script.steps.count, 3)
    guard case .statements(let first) = script.steps[0], case .index(let index) = script.steps[1]
    else {
      Issue.record("\(script.steps)")
      return
    }
    expect(first.count, 2)
    expect(
      index.concurrentStatement,
      "CREATE UNIQUE INDEX CONCURRENTLY mug_name ON mug (name) WHERE id > 0")
  }

  @Test func `a look at a database says what starting would do and does nothing`() async throws {
    let cluster = try #require(TestCluster.shared)
    let newest = SchemaMigration.newestVersion
    let empty = try cluster.emptySchema()
    let address = try await market()

    let missing = try await PostgresMarketStore.inspect(at: empty)
    expect(missing, StoreInspection(.missing, version: newest, isWritable: true))
    try await expect(PostgresMarketStore.inspect(at: empty).tables, .missing)
    try await expect(PostgresMarketStore.inspect(at: address).tables, .current)
    for (version, failure) in [(15, StoreFailure.beforeFirstRelease), (1_000, .newerVersion)] {
      try cluster.run("UPDATE market_schema SET version = \(version)", at: address)
      await #expect(throws: RepositoryError.store(failure)) {
        try await PostgresMarketStore.inspect(at: address)
      }
    }
  }
}
