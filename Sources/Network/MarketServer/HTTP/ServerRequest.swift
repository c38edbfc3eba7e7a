import MarketAPI

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
    self.target = Self.originForm(of: target)
    self.headers = headers
    self.body = body
    self.client = client
  }

  /// The request as the dialects read it.
  package var message: HTTPRequest {
    HTTPRequest(method, RequestTarget(parsing: target), headers: headers, body: body)
  }

  /// The target without scheme and host, which clients write when they take the server for a proxy
  /// (RFC 9112, section 3.2.2).
  private static func originForm(of target: String) -> String {
    guard target.utf8.first != 0x2F, let scheme = target.firstRange(of: "://") else {
      return target
    }
    let path = target[scheme.upperBound...].drop { $0 != "/" && $0 != "?" }
    return path.hasPrefix("/") ? String(path) : "/" + path
  }

  /// Whether it asks for something and changes nothing.
  var isReading: Bool { method == .get || method == .head }
}

/// Client that a request comes from, as far as can be told.
package struct RemoteClient: Hashable, Sendable {
  /// The network address, as text.
  package var address: String
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
