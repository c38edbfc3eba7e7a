import Expectations
import Glibc
import SQLiteKit
import TestSupport
import Testing

struct SchemaTests {
  private let first = Schema(applicationID: 7, migrations: ["CREATE TABLE a (x)"])
  private let second = Schema(
    applicationID: 7, migrations: ["CREATE TABLE a (x)", "CREATE TABLE b (x)"])

  private func connection(in folder: borrowing TemporaryFolder) throws -> SQLiteConnection {
    try SQLiteConnection(opening: folder.path(of: "a"), .init(createsFile: true))
  }

  @Test func `an empty file is made one of the kind and filled once`() throws {
    let folder = try TemporaryFolder()
    let connection = try connection(in: folder)
    try expect(connection.state(of: first), .empty)

    for _ in 1...2 {
      try connection.migrate(to: first) { () throws(StoreError) in
        try connection.execute("INSERT INTO a VALUES (1)")
      }
    }

    try expect(connection.state(of: first), .current)
    try expect(connection.integer("SELECT count(*) FROM a"), 1)
  }

  @Test func `an older file is brought up to date with what it holds`() throws {
    let folder = try TemporaryFolder()
    let connection = try connection(in: folder)
    try connection.migrate(to: first)
    try connection.execute("INSERT INTO a VALUES (5)")
    try expect(connection.state(of: second), .outdated)

    try connection.migrate(to: second)

    try expect(connection.state(of: second), .current)
    try expect(connection.integer("SELECT x FROM a"), 5)
  }

  @Test func `the ladder begins at 101, which an older check calls newer`() throws {
    let folder = try TemporaryFolder()
    let connection = try connection(in: folder)
    try connection.migrate(to: first)

    let version = try #require(try connection.integer("PRAGMA user_version"))

    expect(version, 101)
    // The check of version 0.2.0, before anything is written.
    #expect(version % 1_000_000 > 14)
  }

  @Test func `however many open an older file at once, one runs the step`() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path(of: "a")
    try connection(in: folder).migrate(to: first)
    let counting = Schema(
      applicationID: 7,
      migrations: first.migrations + ["CREATE TABLE b (x); INSERT INTO a VALUES (1)"])

    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 1...8 {
        group.addTask {
          try SQLiteConnection(opening: path, .init(busyMilliseconds: 30_000))
            .migrate(to: counting)
        }
      }
      try await group.waitForAll()
    }

    let connection = try connection(in: folder)
    try expect(connection.state(of: counting), .current)
    try expect(connection.integer("SELECT count(*) FROM a"), 1)
  }

  @Test func `a newer file is refused and stays as it is`() throws {
    let folder = try TemporaryFolder()
    try connection(in: folder).migrate(to: second)
    let before = try FileContent(of: folder.path(of: "a"))
    let connection = try connection(in: folder)

    #expect(throws: StoreError.newerVersion) { try connection.migrate(to: first) }
    try expect(connection.state(of: second), .current)
    try expect(FileContent(of: folder.path(of: "a")), before)
  }

  @Test(arguments: [1, 14, 100, 1_000_014])
  func `a file from before the first release is refused and stays as it is`(version: Int) throws {
    let folder = try TemporaryFolder()
    try connection(in: folder).execute(
      "PRAGMA application_id = 7; PRAGMA user_version = \(version); CREATE TABLE a (x)")
    let before = try FileContent(of: folder.path(of: "a"))
    let connection = try connection(in: folder)

    #expect(throws: StoreError.beforeFirstRelease) { try connection.migrate(to: second) }
    try expect(FileContent(of: folder.path(of: "a")), before)
  }

  @Test func `late indexes of an older file are made before its step is run`() throws {
    let folder = try TemporaryFolder()
    let connection = try connection(in: folder)
    let table = "CREATE TABLE a (x); CREATE INDEX a_x ON a (x);"
    let old = Schema(applicationID: 7, migrations: [table], late: "a_")
    let new = Schema(
      applicationID: 7, migrations: [table, "DROP INDEX a_x; CREATE INDEX a_y ON a (-x);"],
      late: "a_")
    try connection.migrate(to: old)
    #expect(try connection.dropLateIndexes(of: old))

    try connection.migrate(to: new)

    try expect(connection.state(of: new), .current)
    try expect(
      connection.all("SELECT name FROM sqlite_schema WHERE type = 'index'") { $0.text(0) }, ["a_y"])
  }

  @Test func `a migration that fails leaves the version before`() throws {
    let folder = try TemporaryFolder()
    let connection = try connection(in: folder)
    try connection.migrate(to: first)
    let broken = Schema(
      applicationID: 7, migrations: first.migrations + ["CREATE TABLE b (x); CREATE TABLE a (x)"])

    #expect(throws: StoreError.self) { try connection.migrate(to: broken) }
    try expect(connection.state(of: first), .current)
  }

  @Test(arguments: [
    "CREATE TABLE other (x)",
    "PRAGMA application_id = 8",
    "PRAGMA application_id = 7; PRAGMA user_version = 101; CREATE VIEW v AS SELECT 1",
    """
    PRAGMA application_id = 7; PRAGMA user_version = 101; CREATE TABLE a (x);
    CREATE TRIGGER t AFTER INSERT ON a BEGIN DELETE FROM a; END
    """,
  ])
  func `a file of somebody else is refused and not touched`(script: String) throws {
    let folder = try TemporaryFolder()
    let connection = try connection(in: folder)
    try connection.execute(script)
    let before = try FileContent(of: folder.path(of: "a"))

    #expect(throws: StoreError.foreign) { try connection.migrate(to: first) }
    try expect(FileContent(of: folder.path(of: "a")), before)
  }

  @Test func `a file that is no database is refused and not touched`() throws {
    let folder = try TemporaryFolder()
    let content = FileContent(bytes: Array(repeating: 0x41, count: 5_000))
    try content.write(to: folder.path(of: "a"))

    #expect(throws: StoreError.foreign) { try connection(in: folder).migrate(to: first) }
    try expect(FileContent(of: folder.path(of: "a")), content)
  }
}
