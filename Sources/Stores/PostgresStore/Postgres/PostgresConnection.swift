internal import CPostgres
import Dispatch
import MarketModel
import SQLiteKit
import StoreCore

/// One connection to a database, to be used by one actor at a time.
///
/// Statements are prepared once and kept, so SQL is a constant text and never holds a value.
/// Nothing waits longer than the patience of the connection.
package final class PostgresConnection {
  /// Time that the first question may take.
  private static let greetingSeconds = 3

  private let pointer: OpaquePointer
  private let answers: PostgresResults
  private let timeoutMilliseconds: Int
  /// Whether something stands between us and the database that may give each transaction another
  /// session, as pgbouncer does: what is told to one session, the next statement may not find.
  private var isPooled = false
  /// Whether transactions have numbers, and snapshots say which are open (PostgreSQL 13).
  ///
  /// Engines that merely speak its protocol number none, or by another measure than what is visible.
  let numbersTransactions: Bool
  /// What tells the server that answers from every other one, and from itself before a restart; nil
  /// where that is not known.
  private(set) var server: String?
  /// Settings of each transaction where there is no session to tell.
  private let settings: [String]
  /// Time at which the caller will have given up; nil for never.
  var limit: DispatchTime?
  /// Names of prepared statements.
  private var prepared = PreparedStatements<String>()
  /// Number of statements sent whose answers nobody has waited for yet.
  private var unansweredCount = 0
  /// Whether the transaction that writes was committed along with its last statements.
  private var isCommitted = false
  /// The transaction that the body that runs is in.
  private var transaction = Transaction.none

  /// Opens a connection.
  ///
  /// The address is `postgresql://...`, or libpq's `key=value` pairs. Throws `.disconnected`,
  /// `.timedOut`, `.otherEncoding` or `.cannotOpen`.
  init(to address: String, _ options: PostgresOptions) throws(StoreError) {
    let address = PostgresAddress(address)
    guard address.isReadable else { throw .cannotOpen(PostgresAddress.unreadable) }
    pointer = try HostConnectionRace.connection(to: address, options.preferred)
    answers = PostgresResults(on: pointer)
    timeoutMilliseconds = options.timeoutMilliseconds
    numbersTransactions = Self.numbersTransactions(on: pointer)
    settings = options.settings(isPostgres: numbersTransactions)
    // Notices are for people at a terminal.
    PQsetNoticeReceiver(pointer, { _, _ in }, nil)
    let greeting = try answers.greeting(
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

  /// Tells by what a database says of its version.
  static func numbersTransactions(_ version: String, isCockroach: Bool) -> Bool {
    let number = Int(version.prefix { $0.isASCII && $0.isNumber }) ?? 0
    return number >= 13 && !version.contains("YB") && !isCockroach
  }

  deinit { PQfinish(pointer) }

  /// Whether it is known that nothing answers on this connection any more.
  var isBroken: Bool { PQstatus(pointer) != CONNECTION_OK }

  /// Whether the other side has ended the connection since it was used last.
  var hasEnded: Bool {
    guard !isBroken else { return true }
    // Nothing is to be read between two answers but the end, or a notice.
    guard SocketWait.hasSomething(PQsocket(pointer)) else { return false }
    return PQconsumeInput(pointer) == 0 || isBroken
  }

  var isInTransaction: Bool { PQtransactionStatus(pointer) != PQTRANS_IDLE }

  /// Canceller of its statements from any thread; nil where there is no connection.
  var canceller: StatementCanceller? { StatementCanceller(PQgetCancel(pointer)) }

  /// Handle by which any thread may end the connection.
  var handle: SocketHandle? { SocketHandle(PQsocket(pointer)) }

  /// The value of a parameter of this connection; nil where it is not set.
  func parameter(_ name: String) -> String? { Self.parameter(name, of: pointer) }

  /// The same of one that may not be made yet.
  static func parameter(_ name: String, of pointer: OpaquePointer) -> String? {
    guard let all = PQconninfo(pointer) else { return nil }
    defer { PQconninfoFree(all) }
    var option = all
    while let keyword = option.pointee.keyword {
      if String(cString: keyword) == name { return option.pointee.val.map { String(cString: $0) } }
      option += 1
    }
    return nil
  }

  /// Runs a script of statements without parameters.
  func execute(_ script: String) throws(StoreError) {
    try settle()
    try answers.check(PQsendQuery(pointer, script))
    RoundTripCounter.observer?()
    _ = try answers.rows(until: deadline)
  }

  /// Runs one statement, prepared the first time.
  ///
  /// Its parameters are `$1`, `$2` and so on, whose values are always of the same types.
  @discardableResult
  func run(_ sql: SQL, _ values: [SQLValue] = []) throws(StoreError) -> PostgresRows {
    try run(PostgresStatement(sql, values))
  }

  @discardableResult
  func run(_ statement: PostgresStatement) throws(StoreError) -> PostgresRows {
    try run([statement])[0]
  }

  /// Runs a statement that returns one number, such as a key; 0 where it returns none.
  func key(_ sql: SQL, _ values: [SQLValue]) throws(StoreError) -> Int64 {
    try run(sql, values).first?.integer(0) ?? 0
  }

  /// Time from which an answer comes too late that is waited for from now on.
  private var deadline: DispatchTime {
    let end = DispatchTime.now() + .milliseconds(timeoutMilliseconds + 1_000)
    return limit.map { min($0, end) } ?? end
  }
}

// MARK: Pipelining

/// Statements that need nothing of each other's answers go to the database together, so that one way
/// there and back does for all of them (libpq, "Pipeline Mode").
extension PostgresConnection {
  /// Sends a statement along with the next ones that are waited for.
  ///
  /// Nobody sees its rows. Where it fails, the database passes over those that follow, and who waits
  /// for them is told of this failure.
  package func post(_ sql: SQL, _ values: [SQLValue] = []) throws(StoreError) {
    try post(PostgresStatement(sql, values))
  }

  func post(_ statement: PostgresStatement) throws(StoreError) {
    if isCached(statement) { try prepare(statement) }
    try enqueue { sent(statement) }
  }

  /// Runs statements of which none needs what another answers, in their order, and gives the rows
  /// of each.
  ///
  /// Throws the first failure, which may be that of a statement posted before; that of so many of the
  /// last statements is forgiven, whose rows are missing then.
  func run(
    _ statements: [PostgresStatement], forgiving forgiven: Int = 0
  ) throws(StoreError) -> [PostgresRows] {
    // Preparing waits, which would lose the answers to those before.
    for statement in statements where isCached(statement) { try prepare(statement) }
    let postedCount = unansweredCount
    for statement in statements { try post(statement) }
    return Array(try settle(forgiving: forgiven).dropFirst(postedCount))
  }

  /// Waits for the answers to all that was sent; the last ones may be missing, which are forgiven.
  @discardableResult
  func settle(forgiving forgiven: Int = 0) throws(StoreError) -> [PostgresRows] {
    guard unansweredCount > 0 else { return [] }
    try answers.check(PQpipelineSync(pointer))
    RoundTripCounter.observer?()
    var all: [PostgresRows] = []
    var failure: StoreError?
    for number in 1...unansweredCount {
      do throws(StoreError) {
        all.append(try answers.rows(until: deadline))
      } catch {
        if number <= unansweredCount - forgiven { failure = failure ?? error }
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

  /// Whether the statement is prepared once under a name of its own; behind a pooler another server's
  /// statement could have the name.
  private func isCached(_ statement: PostgresStatement) -> Bool {
    !statement.isPlannedAnew && !isPooled
  }

  private func prepare(_ statement: PostgresStatement) throws(StoreError) {
    guard prepared[statement.sql] == nil else { return }
    let name = "s\(prepared.count)"
    let types = statement.values.map(\.type)
    try enqueue { PQsendPrepare(pointer, name, statement.text, Int32(types.count), types) }
    try settle()
    prepared[statement.sql] = name
  }

  private func enqueue(_ send: () -> Int32) throws(StoreError) {
    if unansweredCount == 0 { try answers.check(PQenterPipelineMode(pointer)) }
    try answers.check(send())
    unansweredCount += 1
  }

  private func sent(_ statement: PostgresStatement) -> Int32 {
    statement.withParameters { count, values, lengths, formats in
      if let name = prepared[statement.sql], isCached(statement) {
        return PQsendQueryPrepared(pointer, name, count, values, lengths, formats, 1)
      }
      let types = statement.values.map(\.type)
      return PQsendQueryParams(
        pointer, statement.text, count, types, values, lengths, formats, 1)
    }
  }

  /// Takes the end of what was sent together.
  private func leavePipeline() throws(StoreError) {
    try answers.wait(until: deadline)
    PQclear(PQgetResult(pointer))
    try answers.check(PQexitPipelineMode(pointer))
  }
}

// MARK: Transactions

extension PostgresConnection {
  /// Transaction around the statements of a body.
  enum Transaction {
    /// Nothing: each is one of its own.
    case none
    /// A transaction that only reads, and sees one state of the database.
    case reading
    case writing
  }

  /// Runs a body in a transaction; what it did before it refused is undone.
  ///
  /// Behind a pooler also `.none` is a transaction, since only those can be told settings. A body that
  /// reads may end the transaction itself, by `.commit` behind its last statements, and one that writes
  /// by `commit(with:)`. Throws `.commitUnknown` where nobody knows whether a commit happened.
  func transact<Success, Refusal: Error>(
    _ kind: Transaction, _ body: () throws(StoreError) -> Result<Success, Refusal>
  ) throws(StoreError) -> Result<Success, Refusal> {
    transaction = kind
    if kind == .none, !isPooled { return try body() }
    let result: Result<Success, Refusal>
    isCommitted = false
    do {
      try begin(kind == .writing ? .begin : .beginReading)
      result = try body()
      if kind != .writing, isInTransaction { try run(.commit) }
    } catch {
      rollBack()
      throw error
    }
    guard kind == .writing, !isCommitted else { return result }
    switch result {
    case .success: try commit(with: [])
    case .failure: rollBack()
    }
    return result
  }

  /// Begins a transaction; behind a pooler it is told the settings that else a session is told.
  func begin(_ statement: PostgresStatement) throws(StoreError) {
    try post(statement)
    guard isPooled else { return }
    for setting in settings { try post("SET LOCAL \(setting)") }
  }

  /// Runs the last statements of a transaction that writes, whose rows it gives, and commits along with
  /// them and with what was posted before.
  ///
  /// Where somebody wants to know how far the database has come with it, that is asked behind the commit,
  /// on the same way.
  @discardableResult
  func commit(with last: [PostgresStatement]) throws(StoreError) -> [PostgresRows] {
    let wanted = numbersTransactions ? CommitPosition.wanted : nil
    let question = wanted == nil ? [] : [PostgresStatement(ReplicaTable.positionQuestion)]
    do {
      let rows = try run(last + [.commit] + question, forgiving: question.count)
      isCommitted = true
      if rows.count > last.count + 1, let row = rows.last?.first {
        wanted?.note(MarketPosition(rawValue: row.integer(0)))
      }
      return Array(rows.prefix(last.count + 1))
    } catch .disconnected {
      throw .commitUnknown
    } catch .timedOut where isBroken {
      // The connection was cut; where the database itself gave up, nothing has happened.
      throw .commitUnknown
    } catch {
      rollBack()
      throw error
    }
  }

  /// Leaves no transaction behind; a connection on which that fails is not used again.
  private func rollBack() {
    // What was posted and fails is rolled back as well.
    _ = try? settle()
    guard !isBroken, isInTransaction else { return }
    // Where it fails the connection is still in its transaction, and is given up for that.
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
    try hand(try run(queries.map(PostgresStatement.init)), to: queries)
  }

  package func finish(with queries: [Query]) throws(StoreError) {
    let statements = queries.map(PostgresStatement.init)
    let isWriting = transaction == .writing
    try hand(
      isWriting ? try commit(with: statements) : try run(statements + [.commit]), to: queries)
  }

  private func hand(_ answers: [PostgresRows], to queries: [Query]) throws(StoreError) {
    for (query, rows) in zip(queries, answers) {
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

extension PostgresStatement {
  fileprivate init(_ query: Query) { self.init(query.sql, query.values) }
}

/// Ways to the database and back that a task waits for, for whoever counts them.
///
/// A database is often in another building, and each way there and back costs as much as many statements.
enum RoundTripCounter {
  /// What is told of each; nil where nobody counts.
  @TaskLocal static var observer: (@Sendable () -> Void)?
}
