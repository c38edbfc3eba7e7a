import MarketAPI

/// A request as it arrived.
package struct ServerRequest: Hashable, Sendable {
  package var method: HTTPMethod
  /// The target as the request line holds it: encoded, with its query.
  package var target: String
  package var headers: HTTPHeaders
  package var body: [UInt8]
  package var visitor: Visitor

  package init(
    _ method: HTTPMethod, _ target: String, headers: HTTPHeaders = [:], body: [UInt8] = [],
    from visitor: Visitor
  ) {
    self.method = method
    self.target = target
    self.headers = headers
    self.body = body
    self.visitor = visitor
  }

  /// The request as the dialects read it.
  package var message: HTTPRequest {
    HTTPRequest(method, RequestTarget(parsing: target), headers: headers, body: body)
  }

  /// Whether it asks for something and changes nothing.
  var isReading: Bool { method == .get || method == .head }
}
