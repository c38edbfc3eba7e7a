import MarketAPI

/// A request as it arrived.
package struct ServerRequest: Hashable, Sendable {
  package var method: HTTPMethod
  /// The target, encoded, with its query; begins with `/`.
  package var target: String
  package var headers: HTTPHeaders
  package var body: [UInt8]
  package var visitor: Visitor

  package init(
    _ method: HTTPMethod, _ target: String, headers: HTTPHeaders = [:], body: [UInt8] = [],
    from visitor: Visitor
  ) {
    self.method = method
    self.target = Self.originForm(of: target)
    self.headers = headers
    self.body = body
    self.visitor = visitor
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
