import MarketModel
import SQLiteKit
import StoreCore

/// Log of changes of a market file.
///
/// SQLite has one writer at a time, so the rowids are in the order of the commits.
struct LogTable {
  private static let seconds = "CAST(strftime('%s', 'now') AS INTEGER)"
  private static let insertion = SQL(
    once: """
      INSERT INTO change (mark, at, \(LoggedChange.columnNames))
      VALUES (random() & 9223372036854775807, \(seconds), ?, ?, ?, ?)
      """)
  private static let questionInsertion = SQL(
    once: """
      INSERT INTO question_change (at, place, \(LoggedChange.questionColumnNames))
      VALUES (\(seconds), (SELECT max(id) FROM change), ?, ?, ?, ?)
      """)
  private static let trimming = (trimming(of: "change"), trimming(of: "question_change"))
  private static let newest: SQL = "SELECT id, mark FROM change ORDER BY id DESC LIMIT 1"
  private static let following = SQL(
    once: """
      SELECT id, mark, \(LoggedChange.columnNames) FROM change WHERE id > ? ORDER BY id LIMIT ?
      """)

  private static let newestQuestion: SQL =
    "SELECT coalesce(max(id), 0), coalesce(min(id), 0) FROM question_change"
  private static let followingQuestions = SQL(
    once: """
      SELECT id, place, \(LoggedChange.questionColumnNames) FROM question_change
      WHERE id > ? ORDER BY id LIMIT ?
      """)
  private static let radix = 36

  /// Deletes a prefix of a log, never a gap: all rows after an existing cursor exist.
  private static func trimming(of log: String) -> SQL {
    SQL(
      once: """
        DELETE FROM \(log) WHERE id <= (
          SELECT max(id) FROM (
            SELECT id, at FROM \(log) WHERE id <= (SELECT max(id) FROM \(log)) - ?1
            ORDER BY id LIMIT ?2)
          WHERE at < \(seconds) - ?3)
        """)
  }

  private let connection: SQLiteDatabase

  init(_ connection: SQLiteDatabase) {
    self.connection = connection
  }

  func add(_ changes: [LoggedChange]) throws(StoreError) {
    for change in changes {
      let insertion = change.isOfQuestion ? Self.questionInsertion : Self.insertion
      try connection.post(insertion, change.columns.map { .integer($0) })
      if connection.lastInsertedKey % LogRetention.pace == 0 { try trim(to: .standard) }
    }
  }

  /// Deletes the oldest changes beyond the retention, a limited number at a time.
  /// - Throws: the statement's `StoreError`.
  func trim(to kept: LogRetention) throws(StoreError) {
    for log in [Self.trimming.0, Self.trimming.1] {
      try connection.run(
        log, .integer(kept.count), .integer(LogRetention.trimmedAtOnce), .integer(kept.seconds))
    }
  }

  /// As `ChangeLog.changes(after:atMost:)`.
  /// - Throws: `.damaged` where the log is empty; the statement's other `StoreError`s.
  func changes(
    after cursor: ChangeCursor?, atMost limit: Int
  ) throws(StoreError) -> ChangeBatch {
    let newest = try connection.first(Self.newest) { row in LogPosition(in: row) }.orDamaged()
    let (last, first) =
      try connection.first(Self.newestQuestion) { ($0.integer(0), $0.integer(1)) }.orDamaged()
    func place(_ products: LogPosition, _ question: Int64) -> ChangeCursor {
      ChangeCursor(
        products: products.cursor, questions: String(question, radix: Self.radix))
    }
    guard let cursor else { return ChangeBatch(changes: [], cursor: place(newest, last)) }
    let reset = ChangeBatch(changes: [], cursor: place(newest, last), isReset: true)
    let question = cursor.ofQuestions.map { Int64($0, radix: Self.radix) } ?? last
    guard let asked = LogPosition(cursor.ofProducts), let question, question <= last,
      question + 1 >= first
    else { return reset }
    if asked == newest, question == last { return ChangeBatch(changes: [], cursor: cursor) }
    guard try isThere(asked) else { return reset }
    let limit = max(1, limit)
    let most = SQLValue.integer(Int64(limit))
    var rows = try connection.all(Self.following, [.integer(asked.number), most]) { row in
      (cursor: LogPosition(in: row), change: LoggedChange(in: row, from: 2))
    }
    var questions = try connection.all(Self.followingQuestions, [.integer(question), most]) { row in
      (id: row.integer(0), number: row.integer(1), change: QuestionChange(in: row, from: 2))
    }
    // Where one log returned a full batch, later rows of the other one have to wait.
    let ends = [
      rows.count == limit ? rows.last?.cursor.number : nil,
      questions.count == limit ? questions.last?.number : nil,
    ]
    if let end = ends.compactMap(\.self).min() {
      rows.removeAll { $0.cursor.number > end }
      questions.removeAll { $0.number > end }
    }
    var products: [(number: Int64, change: MarketChange)] = []
    for row in rows {
      guard case .one(let change) = row.change else { return reset }
      products.append((row.cursor.number, change))
    }
    return ChangeBatch(
      products, questions.map { ($0.number, $0.change) },
      cursor: place(rows.last?.cursor ?? asked, questions.last?.id ?? question))
  }

  private func isThere(_ cursor: LogPosition) throws(StoreError) -> Bool {
    try connection.integer(
      "SELECT 1 FROM change WHERE id = ? AND mark = ?", .integer(cursor.number),
      .integer(cursor.mark)) != nil
  }
}

/// Cursor of the log of a file: a row of it.
private struct LogPosition: Equatable {
  private static let radix = 36

  let number: Int64
  let mark: Int64

  /// The row whose columns begin with its number and its mark.
  init(in row: StoredRow) {
    number = row.integer(0)
    mark = row.integer(1)
  }

  /// Nil for a string that is not a cursor of a file.
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
