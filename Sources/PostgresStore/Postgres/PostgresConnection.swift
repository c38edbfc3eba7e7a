internal import CPostgres
import Dispatch

/// One connection to a database, to be used by one actor at a time.
///
/// Statements are prepared once and kept, so SQL is a constant text and never holds a value.
/// Nothing waits longer than the patience of the connection.
package final class PostgresConnection {
  let pointer: OpaquePointer
  private let patienceMilliseconds: Int
  /// Names of statements by their SQL.
  var prepared: [String: String] = [:]
  /// How many statements were sent whose answers nobody has waited for yet.
  var unansweredCount = 0

  /// Opens a connection.
  ///
  /// - Parameters:
  ///   - address: `postgresql://...`, or libpq's `key=value` pairs.
  ///   - options: see there.
  /// - Throws: `.disconnected`, `.timedOut` or `.refused`.
  init(to address: String, _ options: PostgresOptions) throws(PostgresError) {
    guard Self.isReadable(address) else { throw .refused(Self.unreadableAddress) }
    let parameters = [
      "dbname": address, "client_encoding": "UTF8", "application_name": "market-server",
      "connect_timeout": "\(max(2, options.patienceMilliseconds / 1_000))",
    ]
    guard let pointer = Self.start(parameters) else { throw .disconnected("out of memory") }
    self.pointer = pointer
    patienceMilliseconds = options.patienceMilliseconds
    guard PQstatus(pointer) == CONNECTION_OK else {
      throw PQconnectionNeedsPassword(pointer) != 0
        ? .refused(Self.reason(on: pointer)) : .disconnected(Self.reason(on: pointer))
    }
    // Notices are for people at a terminal.
    PQsetNoticeReceiver(pointer, { _, _ in }, nil)
    for setting in options.settings { try execute("SET " + setting) }
  }

  deinit { PQfinish(pointer) }

  /// Whether it is known that nothing answers on this connection any more.
  var isBroken: Bool { PQstatus(pointer) != CONNECTION_OK }

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
  var deadline: DispatchTime { .now() + .milliseconds(patienceMilliseconds + 1_000) }

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
    while true {
      guard PQconsumeInput(pointer) == 1 else { throw .disconnected(Self.reason(on: pointer)) }
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
