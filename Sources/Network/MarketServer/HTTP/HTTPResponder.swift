import MarketAPI
import MarketModel

/// Responder to requests, wherever they come from.
package protocol HTTPResponder: Sendable {
  /// The answer where it is known already; called on a thread of the server, so it takes
  /// microseconds and waits for nothing.
  func knownResponse(to request: ServerRequest) -> ServerResponse?

  /// The answer, found out.
  func response(to request: ServerRequest) async -> ServerResponse
}

/// Request as it arrived.
package struct ServerRequest: Hashable, Sendable {
  package var method: HTTPMethod
  /// The target, encoded, with its query; begins with `/`.
  package var target: String
  package var headers: HTTPHeaders
  package var body: [UInt8]
  package var client: RemoteClient

  package init(
    _ method: HTTPMethod, _ target: String, headers: HTTPHeaders = [:], body: [UInt8] = [],
    from client: RemoteClient
  ) {
    self.method = method
    self.target = target
    self.headers = headers
    self.body = body
    self.client = client
  }

  /// The request as the dialects read it.
  package var message: HTTPRequest {
    HTTPRequest(method, RequestTarget(parsing: target), headers: headers, body: body)
  }

  /// Whether it asks for something and changes nothing.
  var isReading: Bool { method == .get || method == .head }
}

/// Client that a request comes from, as far as can be told.
package struct RemoteClient: Hashable, Sendable {
  /// The network address, as text.
  package var address: String
  /// The network that it counts for in limits.
  package var network: ClientNetwork { ClientNetwork(of: address) }
  /// Whether the way there was encrypted.
  package var isSecure: Bool

  package init(address: String, isSecure: Bool = false) {
    self.address = address
    self.isSecure = isSecure
  }

  /// Takes a trusted proxy's word for who is behind it, in `X-Forwarded-For` and
  /// `X-Forwarded-Proto`; what is missing is as without proxy.
  ///
  /// A proxy adds to the end of what it was sent, so only the last word is its own.
  init(behind proxy: String, headers: HTTPHeaders) {
    address = Self.lastWord(of: "X-Forwarded-For", in: headers) ?? proxy
    isSecure = Self.lastWord(of: "X-Forwarded-Proto", in: headers)?.lowercased() == "https"
  }

  private static func lastWord(of name: String, in headers: HTTPHeaders) -> String? {
    guard let word = headers.values(of: name).last?.split(separator: ",").last else { return nil }
    let bytes = word.utf8.filter { $0 > 0x20 && $0 < 0x7F }
    return bytes.isEmpty || bytes.count > 64 ? nil : String(decoding: bytes, as: UTF8.self)
  }
}

/// Answer that may be sent to any number of clients; what stands on the wire is made once.
package final class ServerResponse: Sendable {
  package let message: HTTPResponse
  /// Reason why the server itself is to blame, for the log; the client is told less.
  package let reason: String?
  /// What the market failed with; nil where it has answered, or was not asked.
  let failure: RepositoryError?
  /// Wish of the client to be told what changes, which the connection fulfils; nil for an answer that
  /// is whole.
  let watch: ChangeSubscription?
  /// Status line and header fields, without the date and what is said of the connection.
  let head: [UInt8]

  package convenience init(
    _ message: HTTPResponse, because reason: String? = nil, failing failure: RepositoryError? = nil
  ) {
    self.init(message, because: reason, failing: failure, watch: nil, hasLength: true)
  }

  /// An answer, or what begins one of unknown length.
  init(
    _ message: HTTPResponse, because reason: String? = nil, failing failure: RepositoryError? = nil,
    watch: ChangeSubscription?, hasLength: Bool
  ) {
    self.message = message
    self.reason = reason
    self.failure = failure
    self.watch = watch
    head = Self.head(of: message, hasLength: hasLength)
  }

  /// The same answer, with another message.
  func saying(_ message: HTTPResponse) -> ServerResponse {
    ServerResponse(message, because: reason, failing: failure)
  }

  /// Whether a body may follow (RFC 9110, section 6.4.1).
  static func mayHaveBody(_ status: HTTPStatus) -> Bool {
    status.rawValue >= 200 && status.rawValue != 204 && status.rawValue != 304
  }

  private static func head(of message: HTTPResponse, hasLength: Bool) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(512)
    let status = message.status
    bytes += "HTTP/1.1 \(status.rawValue) \(status.reasonPhrase)\r\n".utf8
    if hasLength, mayHaveBody(status) { bytes += "Content-Length: \(message.body.count)\r\n".utf8 }
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
