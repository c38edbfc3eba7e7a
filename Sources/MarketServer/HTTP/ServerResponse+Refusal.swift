import MarketAPI

extension ServerResponse {
  /// An answer to what is no request that any dialect could read, in the words of all of them.
  ///
  /// - Parameters:
  ///   - status: a failure.
  ///   - message: one sentence for the client.
  ///   - reason: what the log says, where the server is to blame.
  /// - Returns: the answer.
  static func refusal(
    _ status: HTTPStatus, _ message: String? = nil, because reason: String? = nil
  ) -> ServerResponse {
    var response = HTTPResponse.failure(status, message)
    if status == .serviceUnavailable { response.headers[HeaderName.retryAfter] = "1" }
    return ServerResponse(response, because: reason)
  }
}
