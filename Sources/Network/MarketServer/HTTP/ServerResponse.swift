import MarketAPI

/// Answer that may be sent to any number of clients; what stands on the wire is made once.
package final class ServerResponse: Sendable {
  package let message: HTTPResponse
  /// Reason why the server itself is to blame, for the log; the client is told less.
  package let reason: String?
  /// Status line and header fields, without the date and what is said of the connection.
  let head: [UInt8]

  package init(_ message: HTTPResponse, because reason: String? = nil) {
    self.message = message
    self.reason = reason
    head = Self.head(of: message)
  }

  /// Whether a body may follow (RFC 9110, section 6.4.1).
  static func mayHaveBody(_ status: HTTPStatus) -> Bool {
    status.rawValue >= 200 && status.rawValue != 204 && status.rawValue != 304
  }

  private static func head(of message: HTTPResponse) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(512)
    let status = message.status
    bytes += "HTTP/1.1 \(status.rawValue) \(status.reasonPhrase)\r\n".utf8
    if mayHaveBody(status) { bytes += "Content-Length: \(message.body.count)\r\n".utf8 }
    for field in message.headers where isSafe(field.name) && isSafe(field.value) {
      bytes += field.name.utf8
      bytes += ": ".utf8
      bytes += field.value.utf8
      bytes += "\r\n".utf8
    }
    return bytes
  }

  /// Whether a text stays within its line, whoever it came from.
  private static func isSafe(_ text: String) -> Bool {
    text.utf8.allSatisfy { ($0 >= 0x20 && $0 != 0x7F) || $0 == 0x09 }
  }

  /// Refusal of what is no request that any dialect could read, in the words of all of them.
  ///
  /// The message is one sentence for the client; the reason is for the log, where the server is to
  /// blame.
  static func refusal(
    _ status: HTTPStatus, _ message: String? = nil, because reason: String? = nil
  ) -> ServerResponse {
    var response = HTTPResponse.failure(status, message)
    if status == .serviceUnavailable { response.headers[HeaderName.retryAfter] = "1" }
    return ServerResponse(response, because: reason)
  }
}
