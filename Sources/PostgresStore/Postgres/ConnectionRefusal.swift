internal import CPostgres
import Dispatch

/// Whether a database that gives no connection would give one later.
enum ConnectionRefusal {
  private static let patience = DispatchTimeInterval.seconds(3)
  /// Classes of errors that stay until somebody changes the address or the database's rules: who may
  /// come in, no such database, and no right to connect (PostgreSQL, "Error Codes").
  private static let final = ["28", "3D", "42"]

  /// Asks once more, for the code of the error alone: its words are the database's own language.
  ///
  /// - Parameter address: where to.
  /// - Returns: false also where nothing answers.
  static func isFinal(at address: String) -> Bool {
    let parameters = PostgresConnection.parameters(for: address)
    guard let pointer = PostgresConnection.start(parameters, waiting: false) else { return false }
    defer { PQfinish(pointer) }
    PQsetErrorVerbosity(pointer, PQERRORS_SQLSTATE)
    let deadline = DispatchTime.now() + patience
    var step = PGRES_POLLING_WRITING
    while step == PGRES_POLLING_READING || step == PGRES_POLLING_WRITING {
      let isReady = SocketWait.untilReady(
        PQsocket(pointer), toWrite: step == PGRES_POLLING_WRITING, before: deadline)
      guard isReady else { return false }
      step = PQconnectPoll(pointer)
    }
    let words = String(cString: PQerrorMessage(pointer)).split { $0 == " " || $0 == "\n" }
    guard let code = words.last, code.utf8.count == 5 else { return false }
    return final.contains { code.hasPrefix($0) }
  }
}
