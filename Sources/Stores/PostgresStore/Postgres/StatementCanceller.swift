internal import CPostgres

/// Sends cancel requests for a connection's statements (libpq, "Canceling Queries in Progress").
///
/// Unchecked: the pointer never changes, and libpq allows its use on any thread.
final class StatementCanceller: @unchecked Sendable {
  private let pointer: OpaquePointer

  /// Takes ownership of libpq's cancel object.
  init?(_ pointer: OpaquePointer?) {
    guard let pointer else { return nil }
    self.pointer = pointer
  }

  deinit { PQfreeCancel(pointer) }

  /// Sends one cancel request, and returns when the server has received it; it does not tell whether a
  /// statement was running.
  func send() {
    var reason = [CChar](repeating: 0, count: 256)
    _ = PQcancel(pointer, &reason, Int32(reason.count))
  }
}
