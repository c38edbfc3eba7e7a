import MarketAPI
import MarketModel

/// Responder to HTTP requests.
package protocol HTTPResponder: Sendable {
  /// Returns the response if it is cached, else nil. Called on a thread of the server, so it takes
  /// microseconds and never blocks.
  func immediateResponse(to request: ServerRequest) -> ServerResponse?

  /// Computes the response.
  func response(to request: ServerRequest) async -> ServerResponse

  /// Maximum bytes of the body of a request, which has none yet; nil is that of the server's limits.
  /// Called on a thread of the server.
  func bodyLimit(for request: ServerRequest) -> Int?

  /// Returns the response to a request whose body is larger; nil is a plain 413. Called on a thread of
  /// the server.
  func refusal(ofLargeBody request: ServerRequest) -> ServerResponse?

  /// Reports `count` bytes of a body of `total` bytes (0 if unknown). Called on a thread of the server.
  func didReceive(_ count: Int, of total: Int, as trace: TraceID, _ request: ServerRequest)
}

extension HTTPResponder {
  package func bodyLimit(for request: ServerRequest) -> Int? { nil }
  package func refusal(ofLargeBody request: ServerRequest) -> ServerResponse? { nil }
  package func didReceive(
    _ count: Int, of total: Int, as trace: TraceID, _ request: ServerRequest
  ) {}
}

/// Request as received.
package struct ServerRequest: Hashable, Sendable {
  package var method: HTTPMethod
  /// Percent-encoded target with its query; begins with `/`.
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

  /// Request in the form that the dialects read.
  package var message: HTTPRequest {
    HTTPRequest(method, RequestTarget(parsing: target), headers: headers, body: body)
  }

  /// Whether the request is a GET or HEAD.
  var isReading: Bool { method == .get || method == .head }
}

/// Client of a request.
package struct RemoteClient: Hashable, Sendable {
  /// Network address, as text.
  package var address: String
  /// Network by which limits count the client.
  package var network: ClientNetwork { ClientNetwork(of: address) }
  /// Whether the client's connection is encrypted.
  package var isSecure: Bool

  package init(address: String, isSecure: Bool = false) {
    self.address = address
    self.isSecure = isSecure
  }

  /// Creates a client from a trusted proxy's `X-Forwarded-For` and `X-Forwarded-Proto`; if they are
  /// missing, the client is the proxy itself, without encryption.
  ///
  /// A proxy appends to what it received, so only the last word is its own.
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

/// Response that can be sent to any number of clients; its head is encoded once.
package final class ServerResponse: Sendable {
  package let message: HTTPResponse
  /// Reason of a server error, for the log; the client gets less detail.
  ///
  /// Nil if there is none.
  package let reason: String?
  /// Error of the market; nil if it answered or was not asked.
  let failure: RepositoryError?
  /// Subscription that the connection serves after the head; nil for a complete response.
  let watch: ChangeSubscription?
  /// Status line and header fields, without `Date` and `Connection`.
  let head: [UInt8]

  package convenience init(
    _ message: HTTPResponse, because reason: String? = nil, failing failure: RepositoryError? = nil
  ) {
    self.init(message, because: reason, failing: failure, watch: nil, hasLength: true)
  }

  /// Creates a response; without `hasLength` the body has an unknown length.
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

  /// Returns a response with another message and the same reason and failure.
  func replacingMessage(with message: HTTPResponse) -> ServerResponse {
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

  /// Whether a text contains no control characters, which could end its line.
  private static func isSafe(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { $0.allSatisfy { ($0 >= 0x20 && $0 != 0x7F) || $0 == 0x09 } }
  }

  /// Response to a request that no dialect can read.
  ///
  /// `message` is a sentence for the client; `reason` is for the log, if the server caused the failure.
  static func refusal(
    _ status: HTTPStatus, _ message: String? = nil, because reason: String? = nil
  ) -> ServerResponse {
    var response = HTTPResponse.failure(status, message)
    if status == .serviceUnavailable { response.headers[HeaderName.retryAfter] = "1" }
    return ServerResponse(response, because: reason)
  }
}

/// Effect of a write's response on later reads of its client, for reads from replicas and stale
/// responses.
enum WriteOutcome: Hashable {
  /// Nothing was changed, and nothing new was shown.
  case none
  /// The outcome is unknown: the connection was lost or timed out after COMMIT was sent.
  case possible
  /// The response showed a change, made by this request or an earlier one.
  case shown
}

extension ServerResponse {
  /// Outcome of the write that this response answers.
  var writeOutcome: WriteOutcome {
    let status = message.status
    if status.isSuccess || status.rawValue == 409 || status == .preconditionFailed { return .shown }
    guard status.rawValue >= 500 else { return .none }
    switch failure {
    case .store(let failure): return failure.leavesChangeOpen ? .possible : .none
    // An unknown error may hide a change.
    default: return .possible
    }
  }
}
