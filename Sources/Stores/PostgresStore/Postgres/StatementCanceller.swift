internal import CPostgres

/// Canceller of what a connection runs (libpq, "Canceling Queries in Progress").
///
/// Unchecked: the pointer never changes, and libpq allows its use on any thread.
final class StatementCanceller: @unchecked Sendable {
  private let pointer: OpaquePointer

  /// Takes over what libpq gives of a connection.
  init?(_ pointer: OpaquePointer?) {
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
