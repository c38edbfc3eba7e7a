internal import CPostgres
import Dispatch

/// One connection to a database, to be used by one actor at a time.
///
/// Statements are prepared once and kept, so SQL is a constant text and never holds a value.
/// Nothing waits longer than the patience of the connection.
package final class PostgresConnection {
  /// What the first question may take.
  private static let greetingSeconds = 3

  let pointer: OpaquePointer
  private let patienceMilliseconds: Int
  /// Whether something stands between us and the database that may give each transaction another
  /// session, as pgbouncer does: what is told to one session, the next statement may not find.
  private(set) var isPooled = false
  /// What each transaction is told where there is no session to tell.
  let settings: [String]
  /// When whoever waits for an answer will have given up; nil where nobody does.
  var limit: DispatchTime?
  /// Names of statements by their SQL.
  var prepared: [String: String] = [:]
  /// How many statements were sent whose answers nobody has waited for yet.
  var unansweredCount = 0

  /// Opens a connection.
  ///
  /// - Parameters:
  ///   - address: `postgresql://...`, or libpq's `key=value` pairs.
  ///   - options: see there.
  /// - Throws: `.disconnected`, `.timedOut`, `.otherEncoding` or `.refused`.
  init(to address: String, _ options: PostgresOptions) throws(PostgresError) {
    guard Self.isReadable(address) else { throw .refused(Self.unreadableAddress) }
    let opened = Self.start(Self.parameters(for: address))
    guard let pointer = opened else { throw .disconnected("out of memory") }
    self.pointer = pointer
    patienceMilliseconds = options.patienceMilliseconds
    settings = options.settings
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

  /// Runs a script of statements without parameters.
  func execute(_ script: String) throws(PostgresError) {
    try settle()
    try check(PQsendQuery(pointer, script))
    _ = try rows()
  }

  /// Runs one statement, prepared the first time.
  ///
  /// - Parameters:
  ///   - sql: one statement; its parameters are `$1`, `$2` and so on.
  ///   - values: what they stand for, always of the same types.
  /// - Returns: its rows.
  /// - Throws: what the database answered.
  @discardableResult
  func run(_ sql: String, _ values: [PostgresValue] = []) throws(PostgresError) -> PostgresRows {
    try run(PostgresStatement(sql, values))
  }

  @discardableResult
  func run(_ statement: PostgresStatement) throws(PostgresError) -> PostgresRows {
    try run([statement])[0]
  }

  // MARK: Sending and waiting

  func check(_ accepted: Int32) throws(PostgresError) {
    guard accepted == 1 else { throw .disconnected(Self.reason(on: pointer)) }
  }

  /// When an answer that is waited for from now on comes too late.
  var deadline: DispatchTime {
    let end = DispatchTime.now() + .milliseconds(patienceMilliseconds + 1_000)
    return limit.map { min($0, end) } ?? end
  }

  /// Waits for the answer to one statement; of a script, that to its last.
  func rows() throws(PostgresError) -> PostgresRows {
    let deadline = deadline
    var last: PostgresRows?
    var failure: PostgresError?
    while true {
      try wait(until: deadline)
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
  func wait(until deadline: DispatchTime) throws(PostgresError) {
    try Self.wait(on: pointer, until: deadline)
  }

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
