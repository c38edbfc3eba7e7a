import MarketModel

extension HTTPResponse {
  /// An answer of JSON; every answer announces our additions.
  static func json(
    _ status: HTTPStatus, _ body: [UInt8], headers: HTTPHeaders = [:]
  ) -> HTTPResponse {
    var headers = headers
    headers.add("application/json", for: HeaderName.contentType)
    headers.add("no-cache", for: HeaderName.cacheControl)
    headers.add("1", for: HeaderName.extensions)
    return HTTPResponse(status, headers: headers, body: body)
  }

  /// What a success says, by a dialect's reader.
  func read<Value>(
    _ reader: (JSONValue) throws(AnswerProblem) -> Value
  ) throws(RepositoryError) -> Value {
    do throws(AnswerProblem) { return try reader(try json()) } catch { throw error.error }
  }

  /// What a deletion answered, by a dialect's reader: the product, or nil where it says less.
  ///
  /// Throws only for a page of HTML, which is no word of a market.
  func readDeleted(
    _ reader: (JSONValue) throws(AnswerProblem) -> ProductDetail
  ) throws(RepositoryError) -> ProductDetail? {
    do throws(AnswerProblem) {
      return try reader(try json())
    } catch {
      if error == .markup { throw error.error }
      return nil
    }
  }

  /// The body as a JSON value.
  private func json() throws(AnswerProblem) -> JSONValue {
    if body.first(where: { !$0.isASCIIWhitespace }) == 0x3C { throw .markup }
    do { return try JSONDocument(parsing: body).root } catch { throw .notJSON(error) }
  }
}
