import MarketAPI

extension HTTPResponse {
  var text: String { String(decoding: body, as: UTF8.self) }

  /// The body as JSON.
  var json: JSONValue {
    get throws { try JSONDocument(parsing: body).root }
  }
}
