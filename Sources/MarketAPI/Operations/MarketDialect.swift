import MarketModel

/// One way of writing market operations in HTTP, in both directions.
///
/// What the client half writes the server half reads, and the other way round.
package protocol MarketDialect: Sendable {
  // MARK: client half

  /// What a server of this dialect can do, `extended` where it announces our additions.
  func capabilities(extended: Bool) -> RepositoryCapabilities

  /// Writes an operation.
  ///
  /// - Throws: `.unsupported` for what the dialect has no words for.
  func request(for operation: MarketOperation) throws(RepositoryError) -> HTTPRequest

  /// Names the price and discount of an edit as the dialect can write them.
  ///
  /// In a patch the discount is the amount taken off and stays when only the price changes; v1
  /// names the price to pay instead and keeps that.
  ///
  /// - Parameters:
  ///   - patch: the edit as it was meant.
  ///   - current: the price as it was read.
  /// - Returns: the edit for `request(for:)`.
  /// - Throws: `.invalid` where the discount would be above the price.
  func patch(
    _ patch: ProductPatch, changing current: Price
  ) throws(RepositoryError) -> ProductPatch

  /// Reads the answer to `.page`: a row that cannot be read costs itself alone.
  func page(
    from response: HTTPResponse, for request: PageRequest
  ) throws(RepositoryError) -> ProductPage

  /// Reads the answer to `.detail`, `.register`, `.verify` and `.update`.
  func detail(
    from response: HTTPResponse, for operation: MarketOperation
  ) throws(RepositoryError) -> ProductDetail

  /// Reads the answer to `.delete` and `.confirmDeletion`; nil where it does not tell what was
  /// deleted.
  func deleted(
    from response: HTTPResponse, for operation: MarketOperation
  ) throws(RepositoryError) -> ProductDetail?

  // MARK: server half

  /// Reads a request; nil where the path belongs to another dialect.
  func operation(from request: HTTPRequest) throws(RequestProblem) -> MarketOperation?

  /// Writes a result.
  ///
  /// - Parameters:
  ///   - result: what the operation found.
  ///   - operation: the operation as it was read; its result must be of its kind.
  ///   - pictures: where the client finds the pictures.
  /// - Returns: the answer with all its headers but `Content-Length` and `Date`.
  func response(
    with result: MarketResult, to operation: MarketOperation, pictures: PictureAddresses
  ) -> HTTPResponse

  /// Writes a failure.
  func response(
    failing error: RepositoryError, to operation: MarketOperation, pictures: PictureAddresses
  ) -> HTTPResponse
}
