/// An answer as a value: what a server sends and a client reads.
package struct HTTPResponse: Hashable, Sendable {
  package var status: HTTPStatus
  package var headers: HTTPHeaders
  package var body: [UInt8]

  package init(_ status: HTTPStatus, headers: HTTPHeaders = [:], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }
}
