internal import CPostgres
import Dispatch
import SQLiteKit
import StoreCore

/// Reader of statement results on one connection, each with a deadline.
///
/// The pointer is owned by the connection.
struct PostgresResults {
  private let pointer: OpaquePointer

  init(on pointer: OpaquePointer) {
    self.pointer = pointer
  }

  /// The first line of libpq's last error message.
  var reason: String {
    let text = String(cString: PQerrorMessage(pointer))
    return String(text.split(separator: "\n").first ?? "")
  }

  /// Throws `.disconnected` where libpq did not accept a call.
  func check(_ accepted: Int32) throws(StoreError) {
    guard accepted == 1 else { throw .disconnected(reason) }
  }

  /// Waits for the result of one statement; of a script, that of its last.
  /// - Throws: the first error of the statements; `.timedOut` after the deadline; `.disconnected` where
  ///   the connection was lost.
  func rows(until deadline: DispatchTime) throws(StoreError) -> PostgresRows {
    var last: PostgresRows?
    var failure: StoreError?
    while true {
      try wait(until: deadline)
      guard let result = PQgetResult(pointer) else { break }
      let rows = PostgresRows(owning: result)
      switch PQresultStatus(result) {
      case PGRES_TUPLES_OK, PGRES_COMMAND_OK, PGRES_EMPTY_QUERY: last = rows
      default: failure = failure ?? self.failure(in: result)
      }
    }
    if let failure { throw failure }
    guard let last else { throw .disconnected(reason) }
    return last
  }

  /// First facts about a new session.
  struct Greeting {
    /// The server's process id of the session; a pooler reports another one to its clients.
    let session: Int32
    /// Start time of the server, to the microsecond; nil where it is not PostgreSQL.
    let server: String?
  }

  /// Reads the first facts about a session.
  /// - Throws: `.disconnected`; `.timedOut` after the deadline.
  func greeting(until deadline: DispatchTime, isPostgres: Bool) throws(StoreError) -> Greeting {
    let start = isPostgres ? ", extract(epoch FROM pg_postmaster_start_time())" : ""
    try check(PQsendQuery(pointer, "SELECT pg_backend_pid()" + start))
    guard let row = try rows(until: deadline).first else { throw .disconnected(reason) }
    return Greeting(session: Int32(row.text(0)) ?? 0, server: isPostgres ? row.text(1) : nil)
  }

  /// Waits until the next result can be read without waiting.
  ///
  /// The database gives up earlier by itself (`statement_timeout`); where even that error does not
  /// arrive, the state of the connection is unknown, and it is closed.
  ///
  /// - Throws: `.timedOut` after the deadline; `.disconnected`.
  func wait(until deadline: DispatchTime) throws(StoreError) {
    while true {
      guard PQconsumeInput(pointer) == 1 else { throw .disconnected(reason) }
      guard PQisBusy(pointer) == 1 else { return }
      guard SocketWait.untilReady(PQsocket(pointer), before: deadline) else {
        SocketWait.cut(PQsocket(pointer))
        // Makes libpq notice that the connection is closed.
        PQconsumeInput(pointer)
        throw .timedOut
      }
    }
  }

  private func failure(in result: OpaquePointer) -> StoreError {
    guard let state = PQresultErrorField(result, Int32(UInt8(ascii: "C"))) else {
      return .disconnected(reason)
    }
    let message = PQresultErrorField(result, Int32(UInt8(ascii: "M")))
    return StoreError(
      state: String(cString: state), message: message.map { String(cString: $0) } ?? "")
  }
}

/// Result of one statement: its rows in the protocol's binary format.
final class PostgresRows {
  private let result: OpaquePointer
  private let columnCount: Int
  /// All columns of all rows; nil is null.
  private let columns: UnsafeMutablePointer<UnsafeRawBufferPointer?>

  let count: Int

  /// Takes ownership of a result of libpq.
  init(owning result: OpaquePointer) {
    self.result = result
    let (rowCount, columnCount) = (PQntuples(result), PQnfields(result))
    count = Int(rowCount)
    self.columnCount = Int(columnCount)
    columns = .allocate(capacity: count * self.columnCount)
    var next = columns
    for row in 0..<rowCount {
      for column in 0..<columnCount {
        let isNull = PQgetisnull(result, row, column) != 0
        next.initialize(
          to: isNull
            ? nil
            : UnsafeRawBufferPointer(
              start: PQgetvalue(result, row, column),
              count: Int(PQgetlength(result, row, column))))
        next += 1
      }
    }
  }

  deinit {
    columns.deallocate()
    PQclear(result)
  }

  /// Number of rows that the statement inserted, changed or deleted.
  var changes: Int {
    guard let text = PQcmdTuples(result) else { return 0 }
    return Int(String(cString: text)) ?? 0
  }

  var first: StoredRow? { count > 0 ? row(0) : nil }

  /// Each row as `body` reads it.
  /// - Throws: what `body` throws.
  func map<Element, Failure: Error>(
    _ body: (StoredRow) throws(Failure) -> Element
  ) throws(Failure) -> [Element] {
    var elements: [Element] = []
    elements.reserveCapacity(count)
    for number in 0..<count { elements.append(try body(row(number))) }
    return elements
  }

  /// Calls `body` for each row until it returns false.
  /// - Throws: what `body` throws.
  func read(_ body: (StoredRow) throws(StoreError) -> Bool) throws(StoreError) {
    for number in 0..<count {
      guard try body(row(number)) else { return }
    }
  }

  private func row(_ number: Int) -> StoredRow {
    StoredRow(
      UnsafeBufferPointer(start: columns + number * columnCount, count: columnCount), of: self)
  }
}

extension StoreError {
  /// Maps an SQLSTATE (PostgreSQL, appendix "PostgreSQL Error Codes").
  init(state: String, message: String) {
    self =
      switch state {
      // A key or a table that another transaction has just created: it exists when this one is repeated.
      case "40001", "40P01", "55P03", "23505", "42P07", "42710": .conflict
      case "57014": .timedOut
      case "57P01", "57P02", "57P03": .disconnected(message)
      case "53100": .full
      case "25006": .readOnly
      case _ where state.hasPrefix("08"): .disconnected(message)
      case _ where state.hasPrefix("28") || state == "3D000" || state == "42501":
        .cannotOpen(message)
      default: .failed(state: state)
      }
  }
}
