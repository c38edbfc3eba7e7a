import MarketModel
import MarketStore
import SQLiteKit
import StoreCore
import TestSupport
import Testing
import TransferTestSupport

/// Market files of the version before.
@Suite struct UpgradingTests {
  @Test func `a file without blocks and without what keys came with goes on as it was`()
    async throws
  {
    let folder = try TemporaryFolder()
    let key = IdempotencyKey(rawValue: "an old intent")
    let old = try await SQLiteStore.temporary(in: folder)
    let kept = try await old.register(.sample(), by: .guest, key: key)
    try Self.takeBack(folder.path(of: "market.sqlite"), to: 5, in: folder)

    let store = try await SQLiteStore.temporary(in: folder)

    // The request of the old key is unknown.
    #expect(try await store.register(.sample(name: "Cup"), by: .guest, key: key) == kept)
    _ = try await store.setBlocked(true, Seller.guest.id)
    await #expect(throws: RepositoryError.blocked) { try await store.register(.sample()) }
    _ = try await store.setBlocked(false, Seller.guest.id)
    _ = try await store.remove(kept.id)
    await #expect(throws: RepositoryError.notFound) {
      try await store.register(.sample(), by: .guest, key: key)
    }
  }

  @Test func `a file whose search knew no syllables under way finds them`() async throws {
    let folder = try TemporaryFolder()
    let old = try await SQLiteStore.temporary(in: folder)
    for name in ["무선자전거", "red mug"] { _ = try await old.register(.sample(name: name)) }
    await old.close()
    try Self.takeBack(folder.path(of: "market.sqlite"), to: 6, in: folder)

    let store = try await SQLiteStore.temporary(in: folder)

    for (text, count) in [("ㅈㅈㄱ", 1), ("자저", 1), ("mug", 1), ("mu 자전", 0)] {
      #expect(try await store.exactTotal(of: ProductQuery(text: text)) == count, "\(text)")
    }
    _ = try await store.remove(Product.ID(rawValue: 1))
    #expect(try await store.exactTotal(of: ProductQuery(text: "ㅈㅈㄱ")) == 0)
    try expectConsistent(folder.path(of: "market.sqlite"))
  }

  /// As a program that was killed during an import leaves it: its indexes are missing, and a mark on the version
  /// says so.
  @Test(arguments: [11, 13])
  func `an interrupted import of an earlier version is gone on with`(version: Int) async throws {
    let folder = try TemporaryFolder()
    let path = folder.path(of: "market.sqlite")
    let old = try await SQLiteStore.temporary(in: folder)
    let kept = try await old.register(.sample())
    await old.close()
    try Self.takeBack(path, to: version, in: folder)
    let connection = try SQLiteConnection(opening: path, .init())
    let late: SQL = """
      SELECT name FROM sqlite_schema
      WHERE type = 'index' AND name LIKE 'product!_%' ESCAPE '!' AND sql IS NOT NULL
      """
    for index in try connection.all(late, read: { $0.text(0) }) {
      try connection.execute("DROP INDEX \(index)")
    }
    try connection.execute("PRAGMA user_version = \(1_000_000 + version)")

    let store = try await SQLiteStore.temporary(in: folder)

    #expect(try await store.detail(of: kept.id).product == kept.product)
    #expect(try connection.all(late) { $0.text(0) }.count > 5)
  }

  /// Takes the tables and columns that came after a version off a market file, and puts back what has gone
  /// since.
  private static func takeBack(
    _ path: String, to version: Int, in folder: borrowing TemporaryFolder
  ) throws {
    let reference = folder.path(of: "version-\(version).sqlite")
    for number in 1...version {
      let script = try FileContent(of: "Resources/schema/store-\(number).sql").bytes
      try SQLiteConnection(opening: reference, .init(createsFile: true)).execute(
        String(decoding: script, as: UTF8.self))
    }
    let connection = try SQLiteConnection(opening: path, .init())
    let old = try SQLiteConnection(opening: reference, .init())
    let tables: SQL = """
      SELECT name, sql FROM sqlite_schema WHERE type = 'table' AND sql LIKE 'CREATE VIRTUAL%'
      """
    for (name, _) in try connection.all(tables, read: { ($0.text(0), $0.text(1)) }) {
      try connection.execute("DROP TABLE \(name)")
    }
    for (_, sql) in try old.all(tables, read: { ($0.text(0), $0.text(1)) }) {
      try connection.execute(sql)
    }
    let indexes: SQL = "SELECT name FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL"
    let oldIndexes = Set(try old.all(indexes) { $0.text(0) })
    for index in try connection.all(indexes, read: { $0.text(0) }) where !oldIndexes.contains(index)
    {
      try connection.execute("DROP INDEX \(index)")
    }
    let oldTables = Set(try columns(of: reference).map { $0[0] })
    for table in Set(try columns(of: path).map { $0[0] }).subtracting(oldTables) {
      try connection.execute("DROP TABLE \(table)")
    }
    for column in try columns(of: path).subtracting(columns(of: reference)) {
      try SQLiteConnection(opening: path, .init()).execute(
        "ALTER TABLE \(column[0]) DROP COLUMN \(column[1])")
    }
    try SQLiteConnection(opening: path, .init()).execute(
      """
      ALTER TABLE picture ADD COLUMN uses INTEGER NOT NULL DEFAULT 0;
      PRAGMA user_version = \(version);
      """)
  }

  /// The tables and their columns that a file has.
  private static func columns(of path: String) throws -> Set<[String]> {
    Set(
      try SQLiteConnection(opening: path, .init()).all(
        """
        SELECT t.name, c.name FROM sqlite_schema AS t, pragma_table_info(t.name) AS c
        WHERE t.type = 'table'
        """
      ) { row in [row.text(0), row.text(1)] })
  }
}
