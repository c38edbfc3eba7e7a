import MarketAPI

extension ServerResponse {
  /// An answer to what is no request that any dialect could read, in the words of all of them.
  static func refusal(_ status: HTTPStatus, _ message: String? = nil) -> ServerResponse {
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("error", true)
    writer.member("code", Int64(status.rawValue))
    writer.member("reason", status.reasonPhrase)
    writer.member("message", message ?? status.reasonPhrase)
    writer.endObject()
    var headers: HTTPHeaders = [
      HeaderName.contentType: "application/json", HeaderName.cacheControl: "no-store",
      HeaderName.extensions: "1",
    ]
    if status == .serviceUnavailable { headers[HeaderName.retryAfter] = "1" }
    return ServerResponse(HTTPResponse(status, headers: headers, body: writer.bytes))
  }
}
