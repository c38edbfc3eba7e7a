import MarketModel

/// The server half of several dialects on one port: each request finds its dialect by its path.
package struct MarketRouter: Sendable {
  /// An operation and the dialect that its answer is to be written in.
  package struct Route: Sendable {
    package let operation: MarketOperation
    package let dialect: any MarketDialect
  }

  private let dialects: [any MarketDialect]
  /// Answers what belongs to no dialect: pictures and unknown paths.
  private let first: any MarketDialect

  /// The dialects that are spoken, one at least.
  package init(_ dialects: [any MarketDialect]) {
    precondition(!dialects.isEmpty, "a router without a dialect has no words for anything")
    self.dialects = dialects
    first = dialects[0]
  }

  /// Reads a request; throws what `response(to:for:)` turns into an answer.
  package func route(_ request: HTTPRequest) throws(RequestProblem) -> Route {
    guard request.target.query.isUTF8 else { throw .notUTF8(part: "query") }
    if let address = PictureAddress(segments: request.target.segments) {
      guard request.method == .get || request.method == .head else {
        throw .methodNotAllowed([.get, .head])
      }
      return Route(operation: .picture(address), dialect: first)
    }
    for dialect in dialects {
      if let operation = try dialect.operation(from: request) {
        return Route(operation: operation, dialect: dialect)
      }
    }
    throw .unknownRoute
  }

  /// Writes the answer to a request that is no operation, in the words of its dialect.
  package func response(to problem: RequestProblem, for request: HTTPRequest) -> HTTPResponse {
    (dialects.first { $0.owns(request.target) } ?? first).response(to: problem)
  }
}
