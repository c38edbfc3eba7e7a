internal import CPostgres
import Dispatch

/// One connection to a database, to be used by one actor at a time.
///
/// Statements are prepared once and kept, so SQL is a constant text and never holds a value.
/// Nothing waits longer than the patience of the connection.
package final class PostgresConnection {
  /// Time that the first question may take.
  private static let greetingSeconds = 3

  private let pointer: OpaquePointer
  private let patienceMilliseconds: Int
  /// Whether something stands between us and the database that may give each transaction another
  /// session, as pgbouncer does: what is told to one session, the next statement may not find.
  private var isPooled = false
  /// Whether transactions have numbers, and snapshots say which are open (PostgreSQL 13).
  ///
  /// Engines that merely speak its protocol number none, or by another measure than what is visible.
  let numbersTransactions: Bool
  /// Settings of each transaction where there is no session to tell.
  private let settings: [String]
  /// Time at which the caller will have given up; nil for never.
  var limit: DispatchTime?
  /// Names of statements by their SQL.
  private var prepared: [String: String] = [:]
  /// Number of statements sent whose answers nobody has waited for yet.
  private var unansweredCount = 0

  /// Opens a connection.
  ///
  /// The address is `postgresql://...`, or libpq's `key=value` pairs. Throws `.disconnected`,
  /// `.timedOut`, `.otherEncoding` or `.refused`.
  init(to address: String, _ options: PostgresOptions) throws(PostgresError) {
    let address = PostgresAddress(address)
    guard address.isReadable else { throw .refused(PostgresAddress.unreadable) }
    guard let pointer = address.connect() else { throw .disconnected("out of memory") }
    self.pointer = pointer
    patienceMilliseconds = options.patienceMilliseconds
    numbersTransactions = Self.numbersTransactions(on: pointer)
    settings = options.settings(isPostgres: numbersTransactions)
    guard PQstatus(pointer) == CONNECTION_OK else {
      throw PQconnectionNeedsPassword(pointer) != 0
        ? .refused(Self.reason(on: pointer)) : .disconnected(Self.reason(on: pointer))
    }
    // Notices are for people at a terminal.
    PQsetNoticeReceiver(pointer, { _, _ in }, nil)
    isPooled = try Self.sessionNumber(on: pointer) != PQbackendPID(pointer)
    let encoding = PQparameterStatus(pointer, "server_encoding").map { String(cString: $0) }
    if let encoding, encoding != "UTF8" { throw .otherEncoding(encoding) }
    guard !isPooled else { return }
    try execute(settings.map { "SET \($0);" }.joined())
  }

  /// The number of the session by the database's own word; a pooler tells its clients another.
  private static func sessionNumber(on pointer: OpaquePointer) throws(PostgresError) -> Int32 {
    guard PQsendQuery(pointer, "SELECT pg_backend_pid()") == 1 else {
      throw .disconnected(reason(on: pointer))
    }
    let deadline = DispatchTime.now() + .seconds(greetingSeconds)
    var number: Int32?
    var failure: PostgresError?
    while true {
      try wait(on: pointer, until: deadline)
      guard let result = PQgetResult(pointer) else { break }
      defer { PQclear(result) }
      if PQresultStatus(result) == PGRES_TUPLES_OK {
        number = Int32(String(cString: PQgetvalue(result, 0, 0)))
      } else {
        failure = failure ?? Self.failure(in: result, on: pointer)
      }
    }
    guard let number else { throw failure ?? .disconnected(reason(on: pointer)) }
    return number
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

  /// The value of a parameter of this connection; nil where it is not set.
  func parameter(_ name: String) -> String? {
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
  func execute(_ script: String) throws(PostgresError) {
    try settle()
    try check(PQsendQuery(pointer, script))
    _ = try rows()
  }

  /// Runs one statement, prepared the first time.
  ///
  /// Its parameters are `$1`, `$2` and so on, whose values are always of the same types.
  @discardableResult
  func run(_ sql: String, _ values: [PostgresValue] = []) throws(PostgresError) -> PostgresRows {
    try run(PostgresStatement(sql, values))
  }

  @discardableResult
  func run(_ statement: PostgresStatement) throws(PostgresError) -> PostgresRows {
    try run([statement])[0]
  }

  /// Runs a statement that returns one number, such as a key; 0 where it returns none.
  func key(_ sql: String, _ values: [PostgresValue]) throws(PostgresError) -> Int64 {
    try run(sql, values).first?.integer(0) ?? 0
  }

  // MARK: Sending and waiting

  private func check(_ accepted: Int32) throws(PostgresError) {
    guard accepted == 1 else { throw .disconnected(Self.reason(on: pointer)) }
  }

  /// Time from which an answer comes too late that is waited for from now on.
  private var deadline: DispatchTime {
    let end = DispatchTime.now() + .milliseconds(patienceMilliseconds + 1_000)
    return limit.map { min($0, end) } ?? end
  }

  /// Waits for the answer to one statement; of a script, that to its last.
  private func rows() throws(PostgresError) -> PostgresRows {
    let deadline = deadline
    var last: PostgresRows?
    var failure: PostgresError?
    while true {
      try Self.wait(on: pointer, until: deadline)
      guard let result = PQgetResult(pointer) else { break }
      let rows = PostgresRows(owning: result)
      switch PQresultStatus(result) {
      case PGRES_TUPLES_OK, PGRES_COMMAND_OK, PGRES_EMPTY_QUERY: last = rows
      default: failure = failure ?? Self.failure(in: result, on: pointer)
      }
    }
    if let failure { throw failure }
    guard let last else { throw .disconnected(Self.reason(on: pointer)) }
    return last
  }

  /// Waits until the next result can be taken without waiting.
  ///
  /// The database gives up by itself first (`statement_timeout`); where even that does not come,
  /// nothing is known of the connection, and it is cut.
  private static func wait(
    on pointer: OpaquePointer, until deadline: DispatchTime
  ) throws(PostgresError) {
    while true {
      guard PQconsumeInput(pointer) == 1 else { throw .disconnected(reason(on: pointer)) }
      guard PQisBusy(pointer) == 1 else { return }
      guard SocketWait.untilReadable(PQsocket(pointer), before: deadline) else {
        SocketWait.cut(PQsocket(pointer))
        // So libpq takes note that the connection is broken.
        PQconsumeInput(pointer)
        throw .timedOut
      }
    }
  }

  private static func failure(in result: OpaquePointer, on pointer: OpaquePointer)
    -> PostgresError
  {
    guard let state = PQresultErrorField(result, Int32(UInt8(ascii: "C"))) else {
      return .disconnected(reason(on: pointer))
    }
    let message = PQresultErrorField(result, Int32(UInt8(ascii: "M")))
    return PostgresError(
      state: String(cString: state), message: message.map { String(cString: $0) } ?? "")
  }

  /// The first line of what libpq says, without the address it names.
  private static func reason(on pointer: OpaquePointer) -> String {
    let text = String(cString: PQerrorMessage(pointer))
    return String(text.split(separator: "\n").first ?? "")
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
  func post(_ sql: String, _ values: [PostgresValue] = []) throws(PostgresError) {
    try post(PostgresStatement(sql, values))
  }

  func post(_ statement: PostgresStatement) throws(PostgresError) {
    if isKept(statement) { try prepare(statement) }
    try enqueue { sent(statement) }
  }

  /// Runs statements of which none needs what another answers, in their order, and gives the rows
  /// of each.
  ///
  /// Throws the first failure, which may be that of a statement posted before.
  func run(_ statements: [PostgresStatement]) throws(PostgresError) -> [PostgresRows] {
    // Preparing waits, which would lose the answers to those before.
    for statement in statements where isKept(statement) { try prepare(statement) }
    for statement in statements { try post(statement) }
    return try settle().suffix(statements.count)
  }

  /// Waits for the answers to all that was sent.
  @discardableResult
  func settle() throws(PostgresError) -> [PostgresRows] {
    guard unansweredCount > 0 else { return [] }
    try check(PQpipelineSync(pointer))
    var answers: [PostgresRows] = []
    var failure: PostgresError?
    for _ in 0..<unansweredCount {
      do throws(PostgresError) {
        answers.append(try rows())
      } catch {
        failure = failure ?? error
      }
    }
    unansweredCount = 0
    do throws(PostgresError) {
      try leavePipeline()
    } catch {
      failure = failure ?? error
    }
    if let failure { throw failure }
    return answers
  }

  /// Whether the statement is prepared once under a name of its own; behind a pooler another server's
  /// statement could have the name.
  private func isKept(_ statement: PostgresStatement) -> Bool {
    !statement.isPlannedAnew && !isPooled
  }

  private func prepare(_ statement: PostgresStatement) throws(PostgresError) {
    guard prepared[statement.sql] == nil else { return }
    let name = "s\(prepared.count)"
    let types = statement.values.map(\.type)
    try enqueue { PQsendPrepare(pointer, name, statement.sql, Int32(types.count), types) }
    try settle()
    prepared[statement.sql] = name
  }

  private func enqueue(_ send: () -> Int32) throws(PostgresError) {
    if unansweredCount == 0 { try check(PQenterPipelineMode(pointer)) }
    try check(send())
    unansweredCount += 1
  }

  private func sent(_ statement: PostgresStatement) -> Int32 {
    Self.withParameters(statement.values) { count, values, lengths, formats in
      if let name = prepared[statement.sql], isKept(statement) {
        return PQsendQueryPrepared(pointer, name, count, values, lengths, formats, 1)
      }
      let types = statement.values.map(\.type)
      return PQsendQueryParams(
        pointer, statement.sql, count, types, values, lengths, formats, 1)
    }
  }

  /// Takes the end of what was sent together.
  private func leavePipeline() throws(PostgresError) {
    try Self.wait(on: pointer, until: deadline)
    PQclear(PQgetResult(pointer))
    try check(PQexitPipelineMode(pointer))
  }

  /// Lends values in the protocol's binary format, as libpq takes them.
  static func withParameters<Answer>(
    _ values: [PostgresValue],
    _ body: (
      Int32, [UnsafePointer<CChar>?], [Int32], [Int32]
    ) -> Answer
  ) -> Answer {
    let binaries = values.map(\.binary)
    var bytes: [UInt8] = []
    for binary in binaries { bytes += binary ?? [] }
    // An empty value still needs an address to be no null.
    bytes.append(0)
    return bytes.withUnsafeBytes { buffer in
      var pointers: [UnsafePointer<CChar>?] = []
      var offset = 0
      for binary in binaries {
        let start = buffer.baseAddress?.advanced(by: offset).assumingMemoryBound(to: CChar.self)
        pointers.append(binary == nil ? nil : start)
        offset += binary?.count ?? 0
      }
      return body(
        Int32(values.count), pointers, binaries.map { Int32($0?.count ?? 0) },
        values.map { _ in 1 })
    }
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
  /// reads may end the transaction itself, by `.commit` behind its last statements. Throws
  /// `.commitUnknown` where nobody knows whether a commit happened.
  func transact<Success, Refusal: Error>(
    _ kind: Transaction, _ body: () throws(PostgresError) -> Result<Success, Refusal>
  ) throws(PostgresError) -> Result<Success, Refusal> {
    if kind == .none, !isPooled { return try body() }
    let result: Result<Success, Refusal>
    do {
      try begin(kind == .writing ? .begin : .beginReading)
      result = try body()
      if kind != .writing, isInTransaction { try run(.commit) }
    } catch {
      rollBack()
      throw error
    }
    guard kind == .writing else { return result }
    switch result {
    case .success: try commit()
    case .failure: rollBack()
    }
    return result
  }

  /// Begins a transaction; behind a pooler it is told the settings that else a session is told.
  func begin(_ statement: PostgresStatement) throws(PostgresError) {
    try post(statement)
    guard isPooled else { return }
    for setting in settings { try post("SET LOCAL " + setting) }
  }

  /// Commits, along with what was posted last.
  private func commit() throws(PostgresError) {
    do {
      try run(.commit)
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

/// Canceller of what a connection runs (libpq, "Canceling Queries in Progress").
///
/// Unchecked: the pointer never changes, and libpq allows its use on any thread.
final class StatementCanceller: @unchecked Sendable {
  private let pointer: OpaquePointer

  /// Takes over what libpq gives of a connection.
  fileprivate init?(_ pointer: OpaquePointer?) {
    guard let pointer else { return nil }
    self.pointer = pointer
  }

  deinit { PQfreeCancel(pointer) }

  /// Returns when the database has taken note; whether something was running nobody knows.
  func send() {
    var reason = [CChar](repeating: 0, count: 256)
    _ = PQcancel(pointer, &reason, Int32(reason.count))
  }
}
