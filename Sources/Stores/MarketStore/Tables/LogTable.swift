import MarketModel
import SQLiteKit
import StoreCore

/// The log of changes of a market file.
///
/// Only one writes at a time, so the rows' own numbers are the order in which they were committed.
struct LogTable {
  private static let seconds = "CAST(strftime('%s', 'now') AS INTEGER)"
  private static let insertion = SQL(
    once: """
      INSERT INTO change (mark, at, \(LoggedChange.columnNames))
      VALUES (random() & 9223372036854775807, \(seconds), ?, ?, ?, ?)
      """)
  /// A beginning of the log goes, never a piece of it: whoever finds their place has all that follows.
  private static let trimming = SQL(
    once: """
      DELETE FROM change WHERE id <= (
        SELECT max(id) FROM (
          SELECT id, at FROM change WHERE id <= (SELECT max(id) FROM change) - ?1
          ORDER BY id LIMIT ?2)
        WHERE at < \(seconds) - ?3)
      """)
  private static let newest: SQL = "SELECT id, mark FROM change ORDER BY id DESC LIMIT 1"
  private static let following = SQL(
    once: """
      SELECT id, mark, \(LoggedChange.columnNames) FROM change WHERE id > ? ORDER BY id LIMIT ?
      """)

  private let connection: SQLiteDatabase

  init(_ connection: SQLiteDatabase) {
    self.connection = connection
  }

  func add(_ changes: [LoggedChange]) throws(StoreError) {
    for change in changes {
      try connection.post(Self.insertion, change.columns.map { .integer($0) })
      if connection.lastInsertedKey % LogRetention.pace == 0 { try trim(to: .standard) }
    }
  }

  /// Takes the oldest changes away, as far as they need not be kept, a bounded number at a time.
  func trim(to kept: LogRetention) throws(StoreError) {
    try connection.run(
      Self.trimming, .integer(kept.count), .integer(LogRetention.trimmedAtOnce),
      .integer(kept.seconds))
  }

  /// As `ChangeLog.changes(after:atMost:)`.
  func changes(
    after cursor: ChangeCursor?, atMost limit: Int
  ) throws(StoreError) -> ChangeBatch {
    let newest = try connection.first(Self.newest) { row in LogPosition(in: row) }.orDamaged()
    guard let cursor else { return ChangeBatch(changes: [], cursor: newest.cursor) }
    let reset = ChangeBatch(changes: [], cursor: newest.cursor, isReset: true)
    guard let asked = LogPosition(cursor) else { return reset }
    if asked == newest { return ChangeBatch(changes: [], cursor: newest.cursor) }
    guard try isThere(asked) else { return reset }
    let rows = try connection.all(
      Self.following, [.integer(asked.number), .integer(Int64(max(1, limit)))]
    ) { row in (cursor: LogPosition(in: row), change: LoggedChange(in: row, from: 2)) }
    var changes: [MarketChange] = []
    for row in rows {
      guard case .one(let change) = row.change else { return reset }
      changes.append(change)
    }
    return ChangeBatch(changes: changes, cursor: (rows.last?.cursor ?? asked).cursor)
  }

  private func isThere(_ cursor: LogPosition) throws(StoreError) -> Bool {
    try connection.integer(
      "SELECT 1 FROM change WHERE id = ? AND mark = ?", .integer(cursor.number),
      .integer(cursor.mark)) != nil
  }
}

/// Place in the log of a file: a row of it.
private struct LogPosition: Equatable {
  private static let radix = 36

  let number: Int64
  let mark: Int64

  /// The row whose columns begin with its number and its mark.
  init(in row: StoredRow) {
    number = row.integer(0)
    mark = row.integer(1)
  }

  /// Nil for words that are none of a file's places.
  init?(_ cursor: ChangeCursor) {
    let parts = cursor.rawValue.prefix(64).split(
      separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, let number = Int64(parts[0], radix: Self.radix),
      let mark = Int64(parts[1], radix: Self.radix)
    else { return nil }
    self.number = number
    self.mark = mark
  }

  var cursor: ChangeCursor {
    let parts = [number, mark].map { String($0, radix: Self.radix) }
    return ChangeCursor(rawValue: parts.joined(separator: "-"))
  }
}
