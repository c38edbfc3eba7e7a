/// A request as a value: what a client sends and a server reads.
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
}
