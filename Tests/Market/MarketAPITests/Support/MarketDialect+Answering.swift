import MarketAPI
import MarketModel

extension MarketDialect {
  /// The answer to an operation as the client half writes it, or to a request that says no more.
  func response(
    with result: MarketResult, to operation: MarketOperation, pictures: PictureAddresses
  ) -> HTTPResponse {
    let request = try? request(for: operation)
    return response(
      with: result, to: operation, in: request ?? HTTPRequest(.get, "/"), pictures: pictures)
  }
}
