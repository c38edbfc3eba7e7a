import MarketModel

/// Request as a value: what a client sends and a server reads.
package struct HTTPRequest: Hashable, Sendable {
  package var method: HTTPMethod
  package var target: RequestTarget
  package var headers: HTTPHeaders
  package var body: [UInt8]

  package init(
    _ method: HTTPMethod, _ target: RequestTarget, headers: HTTPHeaders = [:], body: [UInt8] = []
  ) {
    self.method = method
    self.target = target
    self.headers = headers
    self.body = body
  }

  /// The key by which a registration that is sent again is known for the same one (an addition of
  /// ours, on both dialects).
  var idempotencyKey: IdempotencyKey? {
    get {
      headers[HeaderName.idempotencyKey].flatMap { $0.isEmpty ? nil : IdempotencyKey(rawValue: $0) }
    }
    set { headers[HeaderName.idempotencyKey] = newValue?.rawValue }
  }
}

/// Method of a request (RFC 9110, section 9); any other than the named ones is kept as it came.
package struct HTTPMethod: RawRepresentable, Hashable, Sendable {
  package let rawValue: String

  package init(rawValue: String) {
    self.rawValue = rawValue
  }

  package static let get = HTTPMethod(rawValue: "GET")
  package static let head = HTTPMethod(rawValue: "HEAD")
  package static let post = HTTPMethod(rawValue: "POST")
  package static let patch = HTTPMethod(rawValue: "PATCH")
  package static let delete = HTTPMethod(rawValue: "DELETE")
}
