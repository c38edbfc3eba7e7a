import MarketModel

/// Answer as a value: what a server sends and a client reads.
package struct HTTPResponse: Hashable, Sendable {
  package var status: HTTPStatus
  package var headers: HTTPHeaders
  package var body: [UInt8]

  package init(_ status: HTTPStatus, headers: HTTPHeaders = [:], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// Whether the server announces our additions to v2.
  package var announcesExtensions: Bool { headers[HeaderName.extensions] == "1" }

  /// How many seconds the server asks to wait (RFC 9110, section 10.2.3); nil where it does not say.
  ///
  /// A date counts from the `Date` of the same answer, so that nobody's clock has to be right.
  package var retryAfterSeconds: Int64? {
    guard let text = headers[HeaderName.retryAfter] else { return nil }
    if let seconds = Int64(text) { return max(0, seconds) }
    guard let then = HTTPDate.read(text), let now = headers[HeaderName.date].flatMap(HTTPDate.read)
    else { return nil }
    return max(0, then - now)
  }

  /// The answer to a conditional GET: 304 without a body where the client has the same already.
  package func revalidated(for request: HTTPRequest) -> HTTPResponse {
    guard status == .ok, request.method == .get || request.method == .head,
      let known = request.headers[HeaderName.ifNoneMatch],
      let tag = headers[HeaderName.entityTag].flatMap({ EntityTag(parsing: $0) }),
      tag.isNamed(in: known)
    else { return self }
    var headers = headers
    headers[HeaderName.contentType] = nil
    return HTTPResponse(.notModified, headers: headers)
  }
}

// What servers of ours write.
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

  /// An answer of a word that nobody keeps.
  static func text(_ text: String) -> HTTPResponse {
    HTTPResponse(
      .ok,
      headers: [
        HeaderName.contentType: "text/plain; charset=utf-8", HeaderName.cacheControl: "no-store",
        HeaderName.extensions: "1",
      ],
      body: Array(text.utf8))
  }

  /// A picture file; its address names its content, so it may be kept for ever.
  static func picture(_ bytes: [UInt8], at address: PictureAddress) -> HTTPResponse {
    var headers: HTTPHeaders = [
      HeaderName.cacheControl: "public, max-age=31536000, immutable",
      HeaderName.extensions: "1",
      // A stranger's file must never pass for anything but a picture.
      "X-Content-Type-Options": "nosniff",
    ]
    let mediaType = PictureFormat(sniffing: bytes)?.mediaType ?? "application/octet-stream"
    headers.add(mediaType, for: HeaderName.contentType)
    let suffix = address.rendition == .thumbnail ? "-thumbnail" : ""
    headers.add(EntityTag(value: address.locator + suffix).text, for: HeaderName.entityTag)
    return HTTPResponse(.ok, headers: headers, body: bytes)
  }

  /// An error answer without an operation that could say more, in the words of all generations.
  package static func failure(_ status: HTTPStatus, _ message: String? = nil) -> HTTPResponse {
    FailureAnswer(status: status, message: message ?? status.reasonPhrase).response
  }
}
