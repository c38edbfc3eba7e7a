import MarketModel

/// The server half of both dialects on one port: each request finds its dialect by its path.
package struct MarketRouter: Sendable {
  /// An operation and the dialect that its answer is to be written in.
  package struct Route: Sendable {
    package let operation: MarketOperation
    package let dialect: any MarketDialect
  }

  private let items = ItemsDialect()
  private let products: ProductsDialect

  package init(products: ProductsDialect) {
    self.products = products
  }

  /// Reads a request.
  ///
  /// - Throws: what `response(to:for:)` turns into an answer.
  package func route(_ request: HTTPRequest) throws(RequestProblem) -> Route {
    if let address = PictureAddress(segments: request.target.segments) {
      guard request.method == .get || request.method == .head else {
        throw .methodNotAllowed([.get, .head])
      }
      return Route(operation: .picture(address), dialect: products)
    }
    let dialects: [any MarketDialect] = [products, items]
    for dialect in dialects {
      if let operation = try dialect.operation(from: request) {
        return Route(operation: operation, dialect: dialect)
      }
    }
    throw .unknownRoute
  }

  /// Writes the answer to a request that is no operation, in the words of its dialect.
  package func response(to problem: RequestProblem, for request: HTTPRequest) -> HTTPResponse {
    let isItems = ItemsRoute(segments: request.target.segments) != nil
    return (isItems ? items.failures : products.failures).response(to: problem)
  }
}
