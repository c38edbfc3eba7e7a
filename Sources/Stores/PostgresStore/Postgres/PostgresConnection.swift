internal import CPostgres
import Dispatch
import MarketModel
import SQLiteKit
import StoreCore

/// Connection to a database, used by one actor at a time.
///
/// Statements are prepared once and reused, so SQL is a constant text and never contains a value. No call
/// waits longer than the timeout of the connection.
package final class PostgresConnection {
  /// Maximum seconds for the first query.
  private static let greetingSeconds = 3

  private let pointer: OpaquePointer
  private let results: PostgresResults
  private let timeoutMilliseconds: Int
  /// Whether a connection pooler, such as pgbouncer, may give each transaction another session, so that
  /// session settings and prepared statements do not persist.
  private(set) var isPooled = false
  /// Whether transactions have ids, and snapshots list the open ones (PostgreSQL 13).
  ///
  /// Other engines with PostgreSQL's protocol have none, or ids unrelated to visibility.
  let numbersTransactions: Bool
  /// Identity of the server since its last start; nil where it is unknown.
  private(set) var server: String?
  /// Settings of each transaction behind a pooler.
  private let settings: [String]
  /// Deadline of the present use; nil is none.
  var limit: DispatchTime?
  /// Names of prepared statements.
  private var prepared = PreparedStatements<String>()
  /// Number of statements sent whose results were not read yet.
  private var unansweredCount = 0

  /// Opens a connection.
  ///
  /// The address is a connection URI, `postgresql://...`, or libpq's `key=value` pairs.
  ///
  /// - Throws: `.cannotOpen` for an unreadable address or a missing password; `.disconnected` where no
  ///   host accepts; `.timedOut`; `.otherEncoding` for a database that is not UTF-8.
  init(to address: String, _ options: PostgresOptions) throws(StoreError) {
    let address = PostgresAddress(address)
    guard address.isReadable else { throw .cannotOpen(PostgresAddress.unreadable) }
    pointer = try HostConnectionRace.connection(to: address, options.preferred)
    results = PostgresResults(on: pointer)
    timeoutMilliseconds = options.timeoutMilliseconds
    numbersTransactions = Self.numbersTransactions(on: pointer)
    settings = options.settings(isPostgres: numbersTransactions)
    // Discards notices, which libpq would print to stderr.
    PQsetNoticeReceiver(pointer, { _, _ in }, nil)
    let greeting = try results.greeting(
      until: .now() + .seconds(Self.greetingSeconds), isPostgres: numbersTransactions)
    isPooled = greeting.session != PQbackendPID(pointer)
    if !isPooled { server = greeting.server }
    let encoding = PQparameterStatus(pointer, "server_encoding").map { String(cString: $0) }
    if let encoding, encoding != "UTF8" { throw .otherEncoding(encoding) }
    guard !isPooled else { return }
    try execute(settings.map { "SET \($0);" }.joined())
  }

  private static func numbersTransactions(on pointer: OpaquePointer) -> Bool {
    let version = PQparameterStatus(pointer, "server_version").map { String(cString: $0) }
    return numbersTransactions(
      version ?? "", isCockroach: PQparameterStatus(pointer, "crdb_version") != nil)
  }

  /// Decides by the version that a database reports.
  static func numbersTransactions(_ version: String, isCockroach: Bool) -> Bool {
    let number = Int(version.prefix { $0.isASCII && $0.isNumber }) ?? 0
    return number >= 13 && !version.contains("YB") && !isCockroach
  }

  deinit { PQfinish(pointer) }

  /// Whether the connection is known to be lost.
  var isBroken: Bool { PQstatus(pointer) != CONNECTION_OK }

  /// Whether the server has closed the connection since its last use.
  var hasEnded: Bool {
    guard !isBroken else { return true }
    // Between two results only the end of the connection, or a notice, can arrive.
    guard SocketWait.isReady(PQsocket(pointer)) else { return false }
    return PQconsumeInput(pointer) == 0 || isBroken
  }

  var isInTransaction: Bool { PQtransactionStatus(pointer) != PQTRANS_IDLE }

  /// Sends cancel requests from any thread; nil where there is no connection.
  var canceller: StatementCanceller? { StatementCanceller(PQgetCancel(pointer)) }

  /// Closes the connection's socket from any thread.
  var handle: SocketHandle? { SocketHandle(PQsocket(pointer)) }

  /// The value of a connection parameter; nil where it is not set.
  func parameter(_ name: String) -> String? { Self.parameter(name, of: pointer) }

  /// Like `parameter(_:)`, for a connection that may still be opening.
  static func parameter(_ name: String, of pointer: OpaquePointer) -> String? {
    guard let options = PQconninfo(pointer) else { return nil }
    defer { PQconninfoFree(options) }
    return PostgresAddress.value(of: name, in: options)
  }

  /// Runs a script of statements without parameters.
  /// - Throws: the error of the first statement that fails.
  func execute(_ script: String) throws(StoreError) {
    try drainPipeline()
    try results.check(PQsendQuery(pointer, script))
    RoundTripCounter.observer?()
    _ = try results.rows(until: deadline)
  }

  /// Runs one statement, which is prepared on first use.
  ///
  /// Its parameters are `$1`, `$2` and so on; the types of their values must never change.
  ///
  /// - Throws: what `rows(of:ignoringErrorsOfLast:)` throws.
  @discardableResult
  func run(_ sql: SQL, _ values: [SQLValue] = []) throws(StoreError) -> PostgresRows {
    try run(Query(sql, values))
  }

  @discardableResult
  func run(_ statement: Query) throws(StoreError) -> PostgresRows {
    try rows(of: [statement])[0]
  }

  /// Deadline of a wait that begins now.
  private var deadline: DispatchTime {
    let end = DispatchTime.now() + .milliseconds(timeoutMilliseconds + 1_000)
    return limit.map { min($0, end) } ?? end
  }
}

// MARK: Pipelining

/// Statements that do not depend on each other's results are sent together, in one round trip (libpq,
/// "Pipeline Mode").
extension PostgresConnection {
  /// Sends a statement along with the next ones.
  ///
  /// Its rows are discarded. Where it fails, the database skips the following statements, and the next
  /// call that waits throws this error.
  /// - Throws: `.disconnected`; the error of preparing it.
  package func post(_ sql: SQL, _ values: [SQLValue] = []) throws(StoreError) {
    try post(Query(sql, values))
  }

  func post(_ statement: Query) throws(StoreError) {
    if isCached(statement) { try prepare(statement) }
    try enqueue { sent(statement) }
  }

  /// Runs independent statements in their order, and returns the rows of each.
  ///
  /// The errors of the last `ignored` statements are ignored, and their rows missing.
  ///
  /// - Throws: the first error, which may be that of a statement posted before.
  func rows(
    of statements: [Query], ignoringErrorsOfLast ignored: Int = 0
  ) throws(StoreError) -> [PostgresRows] {
    // Preparing waits, which would discard the results of earlier statements.
    for statement in statements where isCached(statement) { try prepare(statement) }
    let postedCount = unansweredCount
    for statement in statements { try post(statement) }
    return Array(try drainPipeline(ignoringErrorsOfLast: ignored).dropFirst(postedCount))
  }

  /// Waits for the results of all statements sent; errors of the last `ignored` ones are ignored.
  /// - Throws: the first error that is not ignored; `.disconnected`; `.timedOut`.
  @discardableResult
  func drainPipeline(ignoringErrorsOfLast ignored: Int = 0) throws(StoreError) -> [PostgresRows] {
    guard unansweredCount > 0 else { return [] }
    try results.check(PQpipelineSync(pointer))
    RoundTripCounter.observer?()
    var all: [PostgresRows] = []
    var failure: StoreError?
    for number in 1...unansweredCount {
      do throws(StoreError) {
        all.append(try results.rows(until: deadline))
      } catch {
        if number <= unansweredCount - ignored { failure = failure ?? error }
      }
    }
    unansweredCount = 0
    do throws(StoreError) {
      try leavePipeline()
    } catch {
      failure = failure ?? error
    }
    if let failure { throw failure }
    return all
  }

  /// Whether the statement is prepared under a name; behind a pooler the name could be that of another
  /// session's statement.
  private func isCached(_ statement: Query) -> Bool {
    !statement.isPlannedAnew && !isPooled
  }

  private func prepare(_ statement: Query) throws(StoreError) {
    guard prepared[statement.sql] == nil else { return }
    let name = "s\(prepared.count)"
    let types = statement.values.map(\.type)
    try enqueue { PQsendPrepare(pointer, name, statement.sql.text, Int32(types.count), types) }
    try drainPipeline()
    prepared[statement.sql] = name
  }

  private func enqueue(_ send: () -> Int32) throws(StoreError) {
    if unansweredCount == 0 { try results.check(PQenterPipelineMode(pointer)) }
    try results.check(send())
    unansweredCount += 1
  }

  private func sent(_ statement: Query) -> Int32 {
    statement.withParameters { count, values, lengths, formats in
      if let name = prepared[statement.sql], isCached(statement) {
        return PQsendQueryPrepared(pointer, name, count, values, lengths, formats, 1)
      }
      let types = statement.values.map(\.type)
      return PQsendQueryParams(
        pointer, statement.sql.text, count, types, values, lengths, formats, 1)
    }
  }

  /// Reads the end of the pipeline.
  private func leavePipeline() throws(StoreError) {
    try results.wait(until: deadline)
    PQclear(PQgetResult(pointer))
    try results.check(PQexitPipelineMode(pointer))
  }
}

// MARK: Transactions

extension PostgresConnection {
  /// Kind of transaction around a body.
  enum Transaction {
    /// None: each statement is committed by itself.
    case none
    /// A read-only transaction, which sees one state of the database.
    case reading
    case writing
    /// A part of the open write transaction, undone by itself.
    case part
  }

  /// Runs a body in a transaction, which a refusal rolls back.
  /// - Throws: what `answer(_:_:)` throws.
  func transact<Success, Refusal: Error>(
    _ kind: Transaction, _ body: () throws(StoreError) -> Result<Success, Refusal>
  ) throws(StoreError) -> Result<Success, Refusal> {
    try answer(kind) { () throws(StoreError) in try body().map { Reading($0) } }
  }

  /// Runs a body in a transaction, which a refusal rolls back; the statements of its answer are run and the
  /// transaction is ended in one round trip.
  ///
  /// Behind a pooler `.none` is a transaction as well, since settings need one.
  ///
  /// - Throws: what the body throws; `.commitUnknown` where the connection was lost during the commit.
  func answer<Success, Refusal: Error>(
    _ kind: Transaction, _ body: () throws(StoreError) -> Result<Reading<Success>, Refusal>
  ) throws(StoreError) -> Result<Success, Refusal> {
    if kind == .part { return try part(body) }
    let isBegun = kind != .none || isPooled
    do {
      if isBegun { try begin(kind == .writing ? .begin : .beginReading) }
      switch try body() {
      case .success(let reading) where kind == .writing: return .success(try commit(with: reading))
      case .success(let reading):
        let ends = isBegun && (!reading.queries.isEmpty || isInTransaction)
        return .success(try value(of: reading, then: ends ? [.commit] : []))
      case .failure(let refusal):
        if isBegun { rollBack() }
        return .failure(refusal)
      }
    } catch {
      if isBegun { rollBack() }
      throw error
    }
  }

  private func part<Success, Refusal: Error>(
    _ body: () throws(StoreError) -> Result<Reading<Success>, Refusal>
  ) throws(StoreError) -> Result<Success, Refusal> {
    try execute("SAVEPOINT part")
    do {
      let answer: Result<Success, Refusal>
      switch try body() {
      case .success(let reading): answer = .success(try value(of: reading))
      case .failure(let refusal):
        try execute("ROLLBACK TO part")
        answer = .failure(refusal)
      }
      try execute("RELEASE part")
      return answer
    } catch {
      _ = try? drainPipeline()
      try? execute("ROLLBACK TO part; RELEASE part")
      throw error
    }
  }

  /// Begins a transaction; behind a pooler also applies the settings of a session.
  /// - Throws: what `post(_:_:)` throws.
  func begin(_ statement: Query) throws(StoreError) {
    try post(statement)
    guard isPooled else { return }
    for setting in settings { try post("SET LOCAL \(setting)") }
  }

  /// Runs the last statements of a write transaction, and commits along with them.
  ///
  /// Where the task wants the commit's WAL position (`CommitPosition`), it is read in the same round
  /// trip.
  ///
  /// - Throws: `.commitUnknown` where the connection was lost; what the statements throw.
  private func commit<Value>(with last: Reading<Value>) throws(StoreError) -> Value {
    let wanted = numbersTransactions ? CommitPosition.wanted : nil
    let question = wanted == nil ? [] : [Query(Self.positionQuestion)]
    let rows: [PostgresRows]
    do {
      rows = try self.rows(
        of: last.queries + [.commit] + question, ignoringErrorsOfLast: question.count)
    } catch .disconnected {
      throw .commitUnknown
    } catch .timedOut where isBroken {
      // The connection was cut; where the database itself timed out, the transaction is rolled back.
      throw .commitUnknown
    } catch {
      throw error
    }
    if rows.count > last.queries.count + 1, let row = rows.last?.first {
      wanted?.note(MarketPosition(rawValue: row.integer(0)))
    }
    try deliver(rows, to: last.queries)
    return try last.value
  }

  /// Runs the statements of a reading, and others after them.
  private func value<Value>(
    of reading: Reading<Value>, then others: [Query] = []
  ) throws(StoreError) -> Value {
    let statements = reading.queries + others
    if !statements.isEmpty { try deliver(try rows(of: statements), to: reading.queries) }
    return try reading.value
  }

  /// Rolls back; a connection on which that fails is not reused.
  private func rollBack() {
    // Posted statements that fail are rolled back as well.
    _ = try? drainPipeline()
    guard !isBroken, isInTransaction else { return }
    // Where it fails the connection stays in its transaction, and is dropped for that.
    try? execute("ROLLBACK")
  }
}

// MARK: Statements of both databases

extension PostgresConnection {
  package func forEach(
    _ sql: SQL, _ values: [SQLValue], read: (StoredRow) throws(StoreError) -> Bool
  ) throws(StoreError) {
    try run(sql, values).read(read)
  }

  package func run(_ queries: [Query]) throws(StoreError) {
    try deliver(try rows(of: queries), to: queries)
  }

  private func deliver(_ results: [PostgresRows], to queries: [Query]) throws(StoreError) {
    for (query, rows) in zip(queries, results) {
      try rows.read { row throws(StoreError) in
        try query.read(row)
        return true
      }
    }
  }

  package func count(_ sql: SQL, _ values: [SQLValue]) throws(StoreError) -> Int {
    try run(sql, values).changes
  }

  package func lock(_ sql: SQL, _ values: [SQLValue]) throws(StoreError) { try post(sql, values) }
}

/// Observer of round trips to the database within a task.
///
/// Across data centers a round trip costs as much as many statements.
enum RoundTripCounter {
  /// Called for each round trip; nil observes none.
  @TaskLocal static var observer: (@Sendable () -> Void)?
}
