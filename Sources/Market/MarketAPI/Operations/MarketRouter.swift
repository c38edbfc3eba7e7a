import MarketModel

/// Server half of several dialects on one port; the path of a request selects its dialect.
package struct MarketRouter: Sendable {
  /// Operation, and the dialect of its response.
  package struct Route: Sendable {
    package let operation: MarketOperation
    package let dialect: any MarketDialect
  }

  private let dialects: [any MarketDialect]
  /// Handles pictures and unknown paths, which belong to no dialect.
  private let first: any MarketDialect

  /// Takes the dialects to serve; traps for none.
  package init(_ dialects: [any MarketDialect]) {
    precondition(!dialects.isEmpty, "a router without a dialect has no words for anything")
    self.dialects = dialects
    first = dialects[0]
  }

  /// Reads a request.
  /// - Throws: what `MarketDialect.operation(from:)` throws; `.unknownRoute` for an unknown path;
  ///   `.malformed` for a query that is not UTF-8; `response(to:for:)` writes the response.
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

  /// Writes the response to a request that is not an operation, in its dialect.
  package func response(to problem: RequestProblem, for request: HTTPRequest) -> HTTPResponse {
    (dialects.first { $0.owns(request.target) } ?? first).response(to: problem)
  }
}
