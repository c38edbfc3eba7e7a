internal import CPostgres
import Dispatch
import StoreCore

/// Answers of a database on one connection, each waited for until a time and no longer.
///
/// The pointer belongs to the connection that this is a part of.
struct PostgresResults {
  private let pointer: OpaquePointer

  init(on pointer: OpaquePointer) {
    self.pointer = pointer
  }

  /// The first line of what libpq says, without the address it names.
  var reason: String {
    let text = String(cString: PQerrorMessage(pointer))
    return String(text.split(separator: "\n").first ?? "")
  }

  /// Throws where libpq does not take what is to be sent.
  func check(_ accepted: Int32) throws(StoreError) {
    guard accepted == 1 else { throw .disconnected(reason) }
  }

  /// Waits for the answer to one statement; of a script, that to its last.
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

  /// What a database says first of all.
  struct Greeting {
    /// The number of the session by the database's own word; a pooler tells its clients another.
    let session: Int32
    /// Since when the server runs, to the microsecond; nil where it is not PostgreSQL.
    let server: String?
  }

  func greeting(until deadline: DispatchTime, isPostgres: Bool) throws(StoreError) -> Greeting {
    let start = isPostgres ? ", extract(epoch FROM pg_postmaster_start_time())" : ""
    try check(PQsendQuery(pointer, "SELECT pg_backend_pid()" + start))
    guard let row = try rows(until: deadline).first else { throw .disconnected(reason) }
    return Greeting(session: Int32(row.text(0)) ?? 0, server: isPostgres ? row.text(1) : nil)
  }

  /// Waits until the next result can be taken without waiting.
  ///
  /// The database gives up by itself first (`statement_timeout`); where even that does not come,
  /// nothing is known of the connection, and it is cut.
  func wait(until deadline: DispatchTime) throws(StoreError) {
    while true {
      guard PQconsumeInput(pointer) == 1 else { throw .disconnected(reason) }
      guard PQisBusy(pointer) == 1 else { return }
      guard SocketWait.untilReadable(PQsocket(pointer), before: deadline) else {
        SocketWait.cut(PQsocket(pointer))
        // So libpq takes note that the connection is broken.
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
