import MarketModel
import SQLiteKit
import StoreCore

/// Log of changes of a market file.
///
/// SQLite has one writer at a time, so the rowids are in the order of the commits.
extension SQLiteDatabase {
  private static let seconds = SQLDialect.sqlite.now
  private static let insertion = SQL(
    once: """
      INSERT INTO change (nonce, at, \(LoggedChange.columnNames))
      VALUES (random() & 9223372036854775807, \(seconds), ?, ?, ?, ?, ?)
      """)
  private static let newest: SQL = "SELECT id, nonce FROM change ORDER BY id DESC LIMIT 1"
  private static let following = SQL(
    once: """
      SELECT id, nonce, \(LoggedChange.columnNames) FROM change WHERE id > ? ORDER BY id LIMIT ?
      """)
  /// Deletes a prefix of the log, never a gap: all rows after an existing cursor exist.
  private static let trimming = SQL(
    once: """
      DELETE FROM change WHERE id <= (
        SELECT max(id) FROM (
          SELECT id, at FROM change WHERE id <= (SELECT max(id) FROM change) - ?1
          ORDER BY id LIMIT ?2)
        WHERE at < \(seconds) - ?3)
      """)

  package func log(_ changes: [LoggedChange]) throws(StoreError) {
    for change in changes {
      try post(Self.insertion, change.columns.map { .integer($0) })
      if file.lastInsertedKey % LogRetention.changesBetweenTrims == 0 { try trimLog(to: .standard) }
    }
  }

  /// Deletes the oldest changes beyond the retention, a limited number at a time.
  func trimLog(to retention: LogRetention) throws(StoreError) {
    try file.run(
      Self.trimming, .integer(retention.count), .integer(LogRetention.trimmedAtOnce),
      .integer(retention.seconds))
  }

  /// As `ChangeLog.changes(after:atMost:)`.
  /// - Throws: `.damaged` where the log is empty; the statement's other `StoreError`s.
  func loggedChanges(
    after cursor: ChangeCursor?, atMost limit: Int
  ) throws(StoreError) -> ChangeBatch {
    let newest = try first(Self.newest) { row in LogPosition(in: row) }.orDamaged()
    guard let cursor else { return ChangeBatch(changes: [], cursor: newest.cursor) }
    let reset = ChangeBatch(changes: [], cursor: newest.cursor, isReset: true)
    guard let asked = LogPosition(cursor) else { return reset }
    if asked == newest { return ChangeBatch(changes: [], cursor: cursor) }
    guard try exists(asked) else { return reset }
    let rows = try all(
      Self.following, [.integer(asked.number), .integer(Int64(max(1, limit)))]
    ) { row in
      (position: LogPosition(in: row), change: LoggedChange(in: row, from: 2))
    }
    var changes: [MarketChange] = []
    for row in rows {
      guard case .one(let change) = row.change else { return reset }
      changes.append(change)
    }
    return ChangeBatch(changes: changes, cursor: (rows.last?.position ?? asked).cursor)
  }

  private func exists(_ cursor: LogPosition) throws(StoreError) -> Bool {
    try integer(
      "SELECT 1 FROM change WHERE id = ? AND nonce = ?", .integer(cursor.number),
      .integer(cursor.nonce)) != nil
  }
}

/// Cursor of the log of a file: a row of it.
private struct LogPosition: Equatable {
  private static let radix = 36

  let number: Int64
  let nonce: Int64

  /// The row whose columns begin with its number and its nonce.
  init(in row: StoredRow) {
    number = row.integer(0)
    nonce = row.integer(1)
  }

  /// Nil for a string that is not a cursor of a file.
  init?(_ cursor: ChangeCursor) {
    let parts = cursor.rawValue.prefix(64).split(
      separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, let number = Int64(parts[0], radix: Self.radix),
      let nonce = Int64(parts[1], radix: Self.radix)
    else { return nil }
    self.number = number
    self.nonce = nonce
  }

  var cursor: ChangeCursor {
    let parts = [number, nonce].map { String($0, radix: Self.radix) }
    return ChangeCursor(rawValue: parts.joined(separator: "-"))
  }
}
