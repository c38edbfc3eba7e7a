internal import CPostgres
import Dispatch

/// One connection to a database, to be used by one actor at a time.
///
/// Statements are prepared once and kept, so SQL is a constant text and never holds a value.
/// Nothing waits longer than the patience of the connection.
final class PostgresConnection {
  let pointer: OpaquePointer
  private let patienceMilliseconds: Int
  private var prepared: [String: String] = [:]

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
    try send(PQsendQuery(pointer, script))
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
    let name = try prepare(sql, values)
    let sent = Self.withParameters(values) { count, values, lengths, formats in
      PQsendQueryPrepared(pointer, name, count, values, lengths, formats, 1)
    }
    try send(sent)
    return try rows()
  }

  /// Runs one statement that is planned anew each time, for these very values.
  func runPlanned(_ sql: String, _ values: [PostgresValue]) throws(PostgresError) -> PostgresRows {
    let types = values.map(\.type)
    let sent = Self.withParameters(values) { count, values, lengths, formats in
      PQsendQueryParams(pointer, sql, count, types, values, lengths, formats, 1)
    }
    try send(sent)
    return try rows()
  }

  private func prepare(_ sql: String, _ values: [PostgresValue]) throws(PostgresError) -> String {
    if let name = prepared[sql] { return name }
    let name = "s\(prepared.count)"
    try send(PQsendPrepare(pointer, name, sql, Int32(values.count), values.map(\.type)))
    _ = try rows()
    prepared[sql] = name
    return name
  }

  // MARK: Sending and waiting

  private func send(_ accepted: Int32) throws(PostgresError) {
    guard accepted == 1 else { throw .disconnected(Self.reason(on: pointer)) }
  }

  /// Waits for the answer to what was sent; of a script, that to its last statement.
  private func rows() throws(PostgresError) -> PostgresRows {
    let deadline = DispatchTime.now() + .milliseconds(patienceMilliseconds + 1_000)
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
  private func wait(until deadline: DispatchTime) throws(PostgresError) {
    while true {
      guard PQconsumeInput(pointer) == 1 else { throw .disconnected(Self.reason(on: pointer)) }
      guard PQisBusy(pointer) == 1 else { return }
      guard SocketWait.untilReadable(PQsocket(pointer), before: deadline) else {
        SocketWait.cut(PQsocket(pointer))
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
