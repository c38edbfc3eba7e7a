import Expectations
import MarketModel
import SQLiteKit
import StoreCore
import TestSupport
import Testing

@testable import MarketStore

/// The log of changes of a market file.
struct ChangeLogTests {
  @Test func `a copy that goes its own way shares the places of before, and no later ones`()
    async throws
  {
    let folder = try TemporaryFolder()
    let store = try await SQLiteStore.temporary(in: folder)
    _ = try await store.register(.sample())
    let shared = try await store.changes(after: nil, atMost: 10).cursor
    try FileContent(bytes: []).write(to: folder.path(of: "copy.sqlite"))
    try await store.backup(to: folder.path(of: "copy.sqlite")) { _ in }
    _ = try await store.register(.sample())
    let later = try await store.changes(after: nil, atMost: 10).cursor

    let copy = try await SQLiteStore.temporary(in: folder, name: "copy.sqlite")
    let id = try await copy.register(.sample(name: "cup")).id

    try await expect(
      copy.changes(after: shared, atMost: 10).changes.compactMap(\.product?.id), [id])
    #expect(try await copy.changes(after: later, atMost: 10).isReset)
  }

  @Test func `old changes go as far as they are neither young nor among the newest`()
    async throws
  {
    let folder = try TemporaryFolder()
    let store = try await SQLiteStore.temporary(in: folder)
    let path = folder.path(of: "market.sqlite")
    let connection = try SQLiteDatabase(opening: path, .init())
    let places = try await fill(store, connection, 3_000)

    try connection.trimLog(to: LogRetention(seconds: 86_400, count: 5_000))
    let all = try connection.integer("SELECT count(*) FROM change")
    try connection.trimLog(to: LogRetention(seconds: 1 << 40, count: 1_000))
    let young = try connection.integer("SELECT count(*) FROM change")
    for _ in 0..<3 { try connection.trimLog(to: LogRetention(seconds: 86_400, count: 1_000)) }
    let kept = try connection.integer("SELECT count(*) FROM change")

    expect([all, young, kept], [3_001, 3_001, 1_000])
    #expect(try await store.changes(after: places.first, atMost: 10).isReset)
    let batch = try await store.changes(after: places.last, atMost: 10_000)
    #expect(!batch.isReset && batch.changes.count == 500)
  }

  @Test func `a clock that jumped leaves no gap behind a place`() async throws {
    let folder = try TemporaryFolder()
    let store = try await SQLiteStore.temporary(in: folder)
    let connection = try SQLiteDatabase(opening: folder.path(of: "market.sqlite"), .init())
    let places = try await fill(store, connection, 100)
    // The row of the first place seems to come from the future.
    try connection.file.run("UPDATE change SET at = \(Int64(1) << 40) WHERE id = 2")

    try connection.trimLog(to: LogRetention(seconds: 86_400, count: 80))

    #expect(try await store.changes(after: places.first, atMost: 10).isReset)
  }

  /// Fills the log with old changes of a seller; returns the place behind the first of them and that
  /// before the last 500.
  private func fill(
    _ store: SQLiteStore, _ connection: SQLiteDatabase, _ count: Int64
  ) async throws -> [ChangeCursor] {
    var places: [ChangeCursor] = []
    let last = count + 1
    for ids in [2...2, 3...max(3, last - 500), max(4, last - 499)...last] {
      try connection.file.run(
        """
        WITH RECURSIVE added (id) AS (SELECT ?1 UNION ALL SELECT id + 1 FROM added WHERE id < ?2)
        INSERT INTO change (id, nonce, at, kind, seller) SELECT id, id, 0, 3, 0 FROM added
        """, .integer(ids.lowerBound), .integer(ids.upperBound))
      places.append(try await store.changes(after: nil, atMost: 1).cursor)
    }
    return [places[0], places[1]]
  }
}
