import Expectations
import SQLiteKit
import TestSupport
import Testing

@testable import MarketStore

struct DataVersionReaderTests {
  @Test(arguments: [true, false])
  func `each commit of another connection is another version`(_ hasLog: Bool) throws {
    let folder = try TemporaryFolder()
    let (writer, reader) = try Self.market(in: folder, hasLog: hasLog)
    var versions: [Int64?] = []

    for _ in 0..<50 {
      versions.append(reader.read())
      expect(reader.read(), versions.last)
      try writer.run("INSERT INTO t VALUES (1)")
    }

    #expect(!versions.contains(nil))
    expect(Set(versions).count, 50)
  }

  @Test func `what is not committed changes nothing`() throws {
    let folder = try TemporaryFolder()
    let (writer, reader) = try Self.market(in: folder, hasLog: true)
    let before = [reader.read(), reader.read()]

    try writer.execute("BEGIN IMMEDIATE; INSERT INTO t VALUES (1)")
    let during = reader.read()
    try writer.execute("ROLLBACK")
    let after = reader.read()
    try writer.run("INSERT INTO t VALUES (1)")

    expect([during, after], before)
    #expect(reader.read() != after)
  }

  @Test func `a change shows when the log has been emptied and begins anew`() throws {
    let folder = try TemporaryFolder()
    let (writer, reader) = try Self.market(in: folder, hasLog: true)
    var last = reader.read()

    for _ in 0..<5 {
      try writer.run("INSERT INTO t VALUES (1)")
      try writer.execute("PRAGMA wal_checkpoint(TRUNCATE)")
      let version = reader.read()
      #expect(version != last)
      last = version
    }
  }

  @Test func `a file that was given back is not read`() throws {
    let folder = try TemporaryFolder()
    let (writer, reader) = try Self.market(in: folder, hasLog: true)
    #expect(reader.read() != nil)
    #expect(reader.read() != nil)

    reader.close()

    expect(reader.read(), nil)
    withExtendedLifetime(writer) {}
  }

  private static func market(
    in folder: borrowing TemporaryFolder, hasLog: Bool
  ) throws -> (writer: SQLiteConnection, reader: DataVersionReader) {
    let path = folder.path(of: "a")
    let writer = try SQLiteConnection(opening: path, .init(createsFile: true))
    if hasLog { _ = try writer.first("PRAGMA journal_mode = WAL") { row in row.text(0) } }
    try writer.execute("CREATE TABLE t (a)")
    return (writer, DataVersionReader(path: path, opensForReading: false))
  }
}
