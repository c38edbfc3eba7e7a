import MarketAPI

/// What is told of a request when it is over.
package struct FinishedRequest: Hashable, Sendable {
  package var visitor: Visitor
  package var method: HTTPMethod
  package var target: String
  /// Nil where the connection broke before there was an answer.
  package var status: HTTPStatus?
  /// Bytes of the answer's body.
  package var byteCount: Int
  package var nanoseconds: UInt64
  /// Why the server is to blame; nil where it is not.
  package var reason: String?

  package init(
    visitor: Visitor, method: HTTPMethod, target: String, status: HTTPStatus?, byteCount: Int,
    nanoseconds: UInt64, reason: String? = nil
  ) {
    self.visitor = visitor
    self.method = method
    self.target = target
    self.status = status
    self.byteCount = byteCount
    self.nanoseconds = nanoseconds
    self.reason = reason
  }
}
