import Expectations
import Glibc
import SQLiteKit
import TestSupport
import Testing

struct SQLiteConnectionTests {
  @Test func `values come back as they went in`() throws {
    let folder = try TemporaryFolder()
    let connection = try SQLiteConnection(opening: folder.path(of: "a"), .init(createsFile: true))
    try connection.execute("CREATE TABLE t (a, b, c, d)")

    try connection.run(
      "INSERT INTO t VALUES (?, ?, ?, ?)", .integer(.min), .text("한\u{0}글"), .blob([0, 255]), .null)

    let row = try connection.first("SELECT * FROM t") { row in
      (row.integer(0), row.text(1), row.blob(2), row.isNull(3))
    }
    let (integer, text, blob, isNull) = try #require(row)
    expect(integer, .min)
    expect(text, "한\u{0}글")
    expect(blob, [0, 255])
    #expect(isNull)
  }

  @Test func `a body that throws leaves nothing`() throws {
    let folder = try TemporaryFolder()
    let connection = try SQLiteConnection(opening: folder.path(of: "a"), .init(createsFile: true))
    try connection.execute("CREATE TABLE t (a UNIQUE)")

    #expect(throws: StoreError.self) {
      try connection.writing { () throws(StoreError) in
        try connection.run("INSERT INTO t VALUES (1)")
        try connection.run("INSERT INTO t VALUES (1)")
      }
    }

    try expect(connection.integer("SELECT count(*) FROM t"), 0)
  }

  @Test func `a new file and those beside it are their owner's alone`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path(of: "a")
    let connection = try SQLiteConnection(opening: path, .init(createsFile: true))
    try connection.execute("PRAGMA journal_mode = WAL; CREATE TABLE t (a)")

    for name in [path, path + "-wal", path + "-shm"] {
      var status = stat()
      try #require(stat(name, &status) == 0)
      expect(status.st_mode & 0o777, 0o600)
    }
  }

  @Test func `a new file is not made where a link leads`() throws {
    let folder = try TemporaryFolder()
    symlink(folder.path(of: "elsewhere"), folder.path(of: "a"))

    #expect(throws: StoreError.cannotOpen("No such file or directory")) {
      try SQLiteConnection(opening: folder.path(of: "a"), .init(createsFile: true))
    }
    #expect(access(folder.path(of: "elsewhere"), F_OK) != 0)
  }

  @Test func `a lock of another connection is told as such`() throws {
    let folder = try TemporaryFolder()
    let options = SQLiteConnection.Options(createsFile: true, busyMilliseconds: 1)
    let first = try SQLiteConnection(opening: folder.path(of: "a"), options)
    let second = try SQLiteConnection(opening: folder.path(of: "a"), options)
    try first.execute("CREATE TABLE t (a); BEGIN IMMEDIATE")

    #expect(throws: StoreError.conflict) { try second.execute("BEGIN IMMEDIATE") }
  }

  @Test func `a connection that reads refuses to write`() throws {
    let folder = try TemporaryFolder()
    let connection = try SQLiteConnection(
      opening: folder.path(of: "a"), .init(createsFile: true, readsOnly: true))

    #expect(throws: StoreError.readOnly) { try connection.execute("CREATE TABLE t (a)") }
  }

  @Test func `triggers and views of a stranger do nothing`() throws {
    let folder = try TemporaryFolder()
    let connection = try SQLiteConnection(opening: folder.path(of: "a"), .init(createsFile: true))
    try connection.execute(
      """
      CREATE TABLE t (a); CREATE TABLE log (a); CREATE VIEW v AS SELECT 1;
      CREATE TRIGGER r AFTER INSERT ON t BEGIN INSERT INTO log VALUES (1); END;
      """)

    try connection.run("INSERT INTO t VALUES (1)")

    try expect(connection.integer("SELECT count(*) FROM log"), 0)
    #expect(throws: StoreError.self) { try connection.integer("SELECT * FROM v") }
  }

  @Test func `a statement stops when its task is cancelled`() async throws {
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      let folder = try TemporaryFolder()
      let connection = try SQLiteConnection(
        opening: folder.path(of: "a"), .init(createsFile: true, stopsWhenCancelled: true))
      _ = try connection.integer(
        """
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
        SELECT count(*) FROM n
        """)
    }

    await #expect(throws: StoreError.cancelled) { try await task.value }
  }
}
