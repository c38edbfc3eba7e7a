import MarketModel
import SQLiteKit
import StoreCore

/// Log of changes of a database.
///
/// Transactions become visible in another order than that of their ids. So a cursor is the set of
/// transactions that were visible to its reader, as a snapshot describes it (PostgreSQL, "Transaction ID
/// and Snapshot Information Functions"), and the next changes are all that are visible now and were not
/// then. No transaction holds back the changes of another one.
/// Every call throws the `StoreError` of its statement.
struct LogTable {
  /// Maximum number of open transactions in a cursor, so that its length is bounded; more hold later
  /// transactions back.
  fileprivate static let maxOpen = 500

  private static let seconds = "floor(extract(epoch FROM now()))::bigint"
  private static let mark = "floor(random() * 4611686018427387904)::bigint"
  /// All reported transactions have lower ids.
  ///
  /// A standby does not know which transactions are open above the lowest.
  private static let horizon = """
    (SELECT CASE WHEN pg_is_in_recovery() THEN pg_snapshot_xmin(present)
      ELSE coalesce(
        (SELECT xip FROM pg_snapshot_xip(present) AS xip ORDER BY xip OFFSET \(maxOpen) LIMIT 1),
        pg_snapshot_xmax(present)) END
    FROM pg_current_snapshot() AS present)::text::bigint
    """

  /// Statements of one of the two logs.
  private struct Log {
    static let products = Log("change", LoggedChange.columnNames)
    static let questions = Log("question_change", LoggedChange.questionColumnNames)

    let insertion: SQL
    /// The last visible change, the open transactions below it, and whether the cursor's own row still
    /// exists.
    let present: SQL
    /// Ordered by the changes' own numbers: a product is locked while it is changed, but transactions
    /// that wait for the lock may have got lower ids.
    let unseen: SQL
    /// Deletes whole transactions from the start of the log, on one server at a time.
    let trimming: SQL

    init(_ table: String, _ columns: String) {
      insertion = SQL(
        once: """
          INSERT INTO \(table) (transaction, mark, at, \(columns))
          SELECT pg_current_xact_id()::text::bigint, \(mark), \(seconds), \(columns)
          FROM unnest($1, $2, $3, $4) AS added (\(columns))
          """)
      present = SQL(
        once: """
          SELECT newest.transaction, newest.mark,
            (SELECT string_agg(xip::text, ' ') FROM pg_snapshot_xip(pg_current_snapshot()) AS xip
              WHERE xip::text::bigint < newest.transaction),
            (SELECT 1::bigint FROM \(table) WHERE transaction = $1 AND mark = $2 LIMIT 1)
          FROM (
            SELECT transaction, mark FROM \(table) WHERE transaction < \(horizon)
            ORDER BY transaction DESC, id DESC LIMIT 1) AS newest
          """)
      unseen = SQL(
        once: """
          SELECT id, \(columns) FROM (
            SELECT * FROM \(table) WHERE transaction > $1 AND transaction < \(horizon)
            UNION ALL
            SELECT * FROM \(table) WHERE transaction = ANY ($2) AND transaction < \(horizon)
          ) AS unseen
          WHERE id > $3 AND transaction <= $4 AND transaction <> ALL ($5) ORDER BY id LIMIT $6
          """)
      trimming = SQL(
        once: """
          WITH turn AS MATERIALIZED (
            SELECT pg_try_advisory_xact_lock(hashtext(current_schema() || '.\(table)')) AS taken)
          DELETE FROM \(table) WHERE (SELECT taken FROM turn) AND transaction <= (
            SELECT max(transaction) FROM (
              SELECT transaction, at FROM \(table) ORDER BY transaction, id LIMIT $1) AS oldest
            WHERE at < \(seconds) - $2 AND transaction < (
              SELECT transaction FROM \(table) ORDER BY transaction DESC OFFSET $3 LIMIT 1))
          """)
    }

    /// The statements that read the changes after a cursor; nil reads only the present position.
    func reading(after place: DatabaseCursor?, atMost limit: Int) -> [PostgresStatement] {
      [
        PostgresStatement(
          present,
          [.integer(place?.seen.newest ?? -1), .integer(place?.seen.mark ?? -1)]),
        PostgresStatement(
          unseen,
          [
            .integer(place?.seen.newest ?? .max), .integers(place?.seen.open ?? []),
            .integer(place?.rest?.last ?? .min), .integer(place?.rest?.end.newest ?? .max),
            .integers(place?.rest?.end.open ?? []), .integer(Int64(limit)),
          ]),
      ]
    }
  }

  /// Results of the statements of one log.
  private struct LogReading {
    let present: SeenTransactions
    /// Whether the cursor's row still exists, after which no change is missing.
    let isKnown: Bool
    /// The rows with the numbers of their changes.
    private(set) var rows: [(number: Int64, row: StoredRow)]
    /// Whether more rows follow.
    private var isCut: Bool

    init(_ answers: ArraySlice<PostgresRows>, atMost limit: Int) throws(StoreError) {
      let row = try answers[answers.startIndex].first.orDamaged()
      present = SeenTransactions(in: row)
      isKnown = row.integer(3) == 1
      rows = answers[answers.startIndex + 1].map { ($0.integer(0), $0) }
      isCut = rows.count == limit
    }

    /// The cursor after a read; the present one for nil.
    func next(after place: DatabaseCursor?) -> DatabaseCursor {
      guard let place else { return DatabaseCursor(seen: present) }
      guard isCut else { return place.place(after: nil, on: present) }
      return rows.last.map { place.place(after: $0.number, on: present) } ?? place
    }

    /// The number of the last row, where more follow; nil at the end.
    var end: Int64? { isCut ? rows.last?.number : nil }

    /// Drops the rows after a number, to be read later.
    mutating func cut(behind end: Int64) {
      let count = rows.prefix { $0.number <= end }.count
      isCut = isCut || count < rows.count
      rows.removeLast(rows.count - count)
    }
  }

  /// A text that changes with the set of visible changes, and with the server.
  ///
  /// Below the oldest open transaction everything is decided. Otherwise the text includes the
  /// transactions that are open below the newest visible change; a standby does not know them, but there
  /// the number of visible undecided changes only grows. Of two servers one may lack a change below its
  /// newest, so the text includes the server's start. Changes that affect only searches rewrite the row
  /// of `market_schema` (`SearchIndexBackfill`).
  private static let version: SQL = """
    WITH both_logs AS NOT MATERIALIZED (
      SELECT transaction, id, mark FROM change
      UNION ALL SELECT transaction, id, mark FROM question_change)
    SELECT concat_ws(' ', extract(epoch FROM pg_postmaster_start_time()),
      (SELECT xmin::text FROM market_schema), newest.transaction, newest.mark,
      CASE
        WHEN newest.transaction < pg_snapshot_xmin(present)::text::bigint THEN ''
        WHEN pg_is_in_recovery() THEN pg_snapshot_xmin(present)::text || ':' || (
          SELECT count(*) FROM both_logs
          WHERE transaction >= pg_snapshot_xmin(present)::text::bigint)
        ELSE (SELECT string_agg(xip::text, ':' ORDER BY xip) FROM pg_snapshot_xip(present) AS xip
          WHERE xip::text::bigint < newest.transaction)
      END)
    FROM pg_current_snapshot() AS present, (
      SELECT transaction, mark FROM both_logs ORDER BY transaction DESC, id DESC LIMIT 1) AS newest
    """
  private static let next = "pg_snapshot_xmax(pg_current_snapshot())::text::bigint"

  private let connection: PostgresConnection

  init(_ connection: PostgresConnection) {
    self.connection = connection
  }

  func add(_ changes: [LoggedChange]) throws(StoreError) {
    guard connection.numbersTransactions, !changes.isEmpty else { return }
    for (isOfQuestion, insertion) in [
      (false, Log.products.insertion), (true, Log.questions.insertion),
    ] {
      let rows = changes.filter { $0.isOfQuestion == isOfQuestion }.map(\.columns)
      guard !rows.isEmpty else { continue }
      try connection.post(
        insertion, (0..<4).map { column in .integers(rows.map { $0[column] }) })
    }
    // At random: a row's number is known only to a caller that waits for it.
    if Int64.random(in: 0..<LogRetention.pace) == 0 { try trim(to: .standard) }
  }

  /// Deletes the oldest changes beyond the retention, a limited number at a time.
  func trim(to kept: LogRetention) throws(StoreError) {
    for log in [Log.products, Log.questions] {
      try connection.post(
        log.trimming,
        [.integer(LogRetention.trimmedAtOnce), .integer(kept.seconds), .integer(kept.count)])
    }
  }

  /// Whether the log is empty, or contains changes of transactions that this database has not reached, as
  /// after tables were copied from another one.
  func needsRepair() throws(StoreError) -> Bool {
    guard connection.numbersTransactions else { return false }
    return try connection.run(
      """
      SELECT 1::bigint FROM change WHERE transaction >= \(Self.next)
      UNION ALL SELECT 1::bigint FROM question_change WHERE transaction >= \(Self.next)
      UNION ALL SELECT 1::bigint WHERE NOT EXISTS (SELECT 1 FROM change)
        OR NOT EXISTS (SELECT 1 FROM question_change) LIMIT 1
      """
    ).count > 0
  }

  /// Deletes such changes, whose transaction ids will be used again.
  func repair() throws(StoreError) {
    try connection.post("DELETE FROM change WHERE transaction >= \(Self.next)")
    try connection.post("DELETE FROM question_change WHERE transaction >= \(Self.next)")
    try connection.post(
      """
      INSERT INTO change (transaction, mark, at, kind)
      SELECT 0, \(Self.mark), 0, 4 WHERE NOT EXISTS (SELECT 1 FROM change)
      """)
    try connection.post(
      """
      INSERT INTO question_change (transaction, mark, at, kind, product, question, seller)
      SELECT 0, \(Self.mark), 0, -1, 0, 0, 0 WHERE NOT EXISTS (SELECT 1 FROM question_change)
      """)
  }

  /// The present version of the data; `.never` where the engine has no transaction ids.
  func version() throws(StoreError) -> VersionPoller.Answer {
    guard connection.numbersTransactions else { return .never }
    return try connection.run(Self.version).first.map { .mark($0.text(0)) } ?? .unknown
  }

  /// Implements `ChangeLog.changes(after:atMost:)`; nil where the engine has no transaction ids.
  ///
  /// Commits the surrounding transaction.
  func lastChanges(
    after cursor: ChangeCursor?, atMost limit: Int
  ) throws(StoreError) -> ChangeBatch? {
    guard connection.numbersTransactions else { return nil }
    let limit = max(1, limit)
    let asked = cursor.flatMap { LogPlace($0) }
    let answers = try connection.run(
      Log.products.reading(after: asked?.products, atMost: limit)
        + Log.questions.reading(after: asked?.questions, atMost: limit) + [.commit])
    var products = try LogReading(answers[0..<2], atMost: limit)
    var questions = try LogReading(answers[2..<4], atMost: limit)
    // Where one log returned a full batch, later rows of the other one have to wait.
    if let end = [products.end, questions.end].compactMap(\.self).min() {
      products.cut(behind: end)
      questions.cut(behind: end)
    }
    let reset = ChangeBatch(
      changes: [],
      cursor: LogPlace(
        products: DatabaseCursor(seen: products.present),
        questions: DatabaseCursor(seen: questions.present)
      ).cursor,
      isReset: cursor != nil)
    guard let cursor, let asked, products.isKnown, asked.questions == nil || questions.isKnown
    else { return reset }
    // A standby may be behind the cursor.
    guard products.present.newest >= asked.products.seen.newest,
      questions.present.newest >= asked.questions?.seen.newest ?? 0
    else { return ChangeBatch(changes: [], cursor: cursor) }
    var told: [(number: Int64, change: MarketChange)] = []
    for (number, row) in products.rows {
      guard case .one(let change) = LoggedChange(in: row, from: 1) else { return reset }
      told.append((number, change))
    }
    return ChangeBatch(
      told,
      questions.rows.map { ($0.number, QuestionChange(in: $0.row, from: 1)) },
      cursor: LogPlace(
        products: products.next(after: asked.products),
        questions: questions.next(after: asked.questions)
      ).cursor)
  }
}
