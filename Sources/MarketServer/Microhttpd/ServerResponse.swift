internal import CMicrohttpd
import MarketAPI
import Synchronization

/// An answer that may be sent to any number of clients; what libmicrohttpd needs to send it is
/// made once.
package final class ServerResponse: Sendable {
  package let message: HTTPResponse
  /// Why the server itself is to blame, for the log; what the client is told says less.
  package let reason: String?
  private let prepared = Mutex<PreparedResponse?>(nil)

  package init(_ message: HTTPResponse, because reason: String? = nil) {
    self.message = message
    self.reason = reason
  }

  /// Hands the answer to libmicrohttpd.
  ///
  /// - Parameters:
  ///   - connection: the connection whose request is answered; to be called on its thread.
  ///   - closing: whether the connection ends after it.
  /// - Returns: what the callback of libmicrohttpd returns.
  func queue(on connection: OpaquePointer, closing: Bool) -> MHD_Result {
    let status = UInt32(message.status.rawValue)
    if closing {
      guard let response = PreparedResponse(message, closing: true) else { return .NO }
      return MHD_queue_response(connection, status, response.pointer)
    }
    let response = prepared.withLock { prepared in
      if prepared == nil { prepared = PreparedResponse(message, closing: false) }
      return prepared
    }
    guard let response else { return .NO }
    return MHD_queue_response(connection, status, response.pointer)
  }
}

/// An answer in libmicrohttpd's memory.
///
/// Unchecked: libmicrohttpd counts references to a response under a lock of its own, and nothing
/// here changes it after `init`.
private final class PreparedResponse: @unchecked Sendable {
  let pointer: OpaquePointer

  init?(_ message: HTTPResponse, closing: Bool) {
    var bytes = message.body
    let pointer = bytes.withUnsafeMutableBytes { buffer in
      MHD_create_response_from_buffer(buffer.count, buffer.baseAddress, .RESPMEM_MUST_COPY)
    }
    guard let pointer else { return nil }
    self.pointer = pointer
    for field in message.headers { MHD_add_response_header(pointer, field.name, field.value) }
    if closing { MHD_add_response_header(pointer, "Connection", "close") }
  }

  deinit { MHD_destroy_response(pointer) }
}
