internal import CMicrohttpd
import MarketAPI
import Synchronization

/// One request and its answer, from the request line to the last byte.
///
/// Unchecked: everything that can change is touched on the connection's thread of libmicrohttpd
/// only, but for `state`, which its lock guards.
final class Exchange: @unchecked Sendable {
  /// What is still to happen.
  private enum State {
    case receiving
    /// The connection is suspended until somebody knows the answer.
    case suspended
    case ready(ServerResponse)
  }

  /// The target as it stood in the request line.
  let target: String
  let peer: Peer
  let began = MonotonicClock.nanoseconds()
  /// Nil until the headers are there.
  private(set) var request: ServerRequest?
  /// Bytes that may still come.
  private var expected = 0
  /// Bytes that this request holds of what all bodies may have.
  private(set) var reserved = 0
  private(set) var sent: ServerResponse?
  /// The answer that waits for the end of a body that nobody wants.
  private(set) var refusal: ServerResponse?
  /// Set before the state says `suspended`, and not changed after.
  private var connection: OpaquePointer?
  private let state = Mutex(State.receiving)

  init(target: String, peer: Peer) {
    self.target = target
    self.peer = peer
  }

  func begin(_ request: ServerRequest, bodyBytes: Int) {
    self.request = request
    self.request?.body.reserveCapacity(bodyBytes)
    expected = bodyBytes
    reserved = bodyBytes
  }

  /// Lets a body pass by, and refuses it then.
  func discard(_ bodyBytes: Int, then refusal: ServerResponse) {
    expected = bodyBytes
    self.refusal = refusal
  }

  /// Takes a piece of the body.
  ///
  /// - Returns: whether it may have come.
  func receive(_ piece: UnsafeRawBufferPointer) -> Bool {
    expected -= piece.count
    guard expected >= 0 else { return false }
    if refusal == nil { request?.body.append(contentsOf: piece) }
    return true
  }

  /// Hands over the request, which is complete; its body is not held twice.
  func takeRequest() -> ServerRequest? {
    defer { request?.body = [] }
    return request
  }

  func suspend(_ connection: OpaquePointer) {
    self.connection = connection
    state.withLock { $0 = .suspended }
    MHD_suspend_connection(connection)
  }

  /// Makes the connection go on with an answer, unless it has got one already.
  func resume(with response: ServerResponse) {
    let isFirst = state.withLock { state in
      guard case .suspended = state else { return false }
      state = .ready(response)
      return true
    }
    if isFirst, let connection { MHD_resume_connection(connection) }
  }

  /// The answer that the connection was resumed with.
  var found: ServerResponse? {
    state.withLock { state in
      guard case .ready(let response) = state else { return nil }
      return response
    }
  }

  func queue(
    _ response: ServerResponse, on connection: OpaquePointer, closing: Bool
  ) -> MHD_Result {
    sent = response
    return response.queue(on: connection, closing: closing)
  }

  var finished: FinishedRequest {
    FinishedRequest(
      visitor: request?.visitor ?? Visitor(address: peer.address),
      method: request?.method ?? HTTPMethod(rawValue: "-"), target: target,
      status: sent?.message.status, byteCount: sent?.message.body.count ?? 0,
      nanoseconds: MonotonicClock.nanoseconds() - began, reason: sent?.reason)
  }
}
