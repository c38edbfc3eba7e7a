import MarketModel

/// HTTP response, which a server sends and a client reads.
package struct HTTPResponse: Hashable, Sendable {
  package var status: HTTPStatus
  package var headers: HTTPHeaders
  package var body: [UInt8]

  package init(_ status: HTTPStatus, headers: HTTPHeaders = [:], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// Seconds in `Retry-After` (RFC 9110, section 10.2.3); nil where there is none.
  ///
  /// A date is relative to the `Date` of the same response, so that no clock has to be right.
  package var retryAfterSeconds: Int64? {
    guard let text = headers[HeaderName.retryAfter] else { return nil }
    if let seconds = Int64(text) { return max(0, seconds) }
    guard let then = HTTPDate.read(text), let now = headers[HeaderName.date].flatMap(HTTPDate.read)
    else { return nil }
    return max(0, then - now)
  }

  /// The response to a conditional GET: 304 without a body where the client's copy is current, else
  /// `other`, or this one where that is nil.
  package func revalidated(
    for request: HTTPRequest, otherwise other: HTTPResponse? = nil
  ) -> HTTPResponse {
    guard status == .ok, request.method == .get || request.method == .head,
      let known = request.headers[HeaderName.ifNoneMatch],
      let tag = headers[HeaderName.entityTag].flatMap({ EntityTag(parsing: $0) }),
      tag.isNamed(in: known)
    else { return other ?? self }
    var headers = headers
    headers[HeaderName.contentType] = nil
    return HTTPResponse(.notModified, headers: headers)
  }
}

// Responses of our servers.
extension HTTPResponse {
  /// A JSON response, which announces our additions.
  static func json(
    _ status: HTTPStatus, _ body: [UInt8], headers: HTTPHeaders = [:]
  ) -> HTTPResponse {
    var headers = headers
    headers.add("application/json", for: HeaderName.contentType)
    headers.add("no-cache", for: HeaderName.cacheControl)
    headers[HeaderName.extensions] = "1"
    return HTTPResponse(status, headers: headers, body: body)
  }

  /// A plain text response that must not be cached.
  static func text(_ text: String) -> HTTPResponse {
    var headers: HTTPHeaders = [
      HeaderName.contentType: "text/plain; charset=utf-8", HeaderName.cacheControl: "no-store",
    ]
    headers[HeaderName.extensions] = "1"
    return HTTPResponse(.ok, headers: headers, body: Array(text.utf8))
  }

  /// The response to a request for a picture: the file, or a redirect to its address.
  static func picture(
    _ picture: ServedPicture, at address: PictureAddress, for request: HTTPRequest
  ) -> HTTPResponse {
    switch picture {
    case .file(let bytes): self.picture(bytes, at: address)
    case .elsewhere(let signed):
      // A client with the file needs no redirect.
      self.picture([], at: address).revalidated(for: request, otherwise: .redirect(to: signed))
    }
  }

  /// A redirect for one client and a limited time.
  ///
  /// It has no entity tag: a 304 would confirm an expired address.
  private static func redirect(to signed: SignedAddress) -> HTTPResponse {
    var headers: HTTPHeaders = [
      HeaderName.location: signed.address.text,
      HeaderName.cacheControl: "private, max-age=\(signed.freshSeconds)",
    ]
    headers[HeaderName.extensions] = "1"
    return HTTPResponse(.found, headers: headers)
  }

  /// A picture file; its URL contains its hash, so it may be cached forever.
  private static func picture(_ bytes: [UInt8], at address: PictureAddress) -> HTTPResponse {
    var headers: HTTPHeaders = [
      HeaderName.cacheControl: "public, max-age=31536000, immutable",
      // Keeps browsers from interpreting an uploaded file as anything but a picture.
      "X-Content-Type-Options": "nosniff",
    ]
    let mediaType = PictureFormat(sniffing: bytes)?.mediaType ?? "application/octet-stream"
    headers.add(mediaType, for: HeaderName.contentType)
    headers[HeaderName.extensions] = "1"
    let suffix = address.rendition == .thumbnail ? "-thumbnail" : ""
    headers.add(EntityTag(value: address.locator + suffix).text, for: HeaderName.entityTag)
    return HTTPResponse(.ok, headers: headers, body: bytes)
  }

  /// Error response outside of any operation, with the keys of all generations.
  package static func failure(_ status: HTTPStatus, _ message: String? = nil) -> HTTPResponse {
    ErrorResponse(status: status, message: message ?? status.reasonPhrase).response
  }
}

/// Status code (RFC 9110, section 15).
package struct HTTPStatus: RawRepresentable, Hashable, Sendable {
  package let rawValue: Int

  package init(rawValue: Int) { self.rawValue = rawValue }

  package static let ok = HTTPStatus(rawValue: 200)
  package static let created = HTTPStatus(rawValue: 201)
  package static let accepted = HTTPStatus(rawValue: 202)
  package static let noContent = HTTPStatus(rawValue: 204)
  package static let found = HTTPStatus(rawValue: 302)
  package static let notModified = HTTPStatus(rawValue: 304)
  package static let badRequest = HTTPStatus(rawValue: 400)
  package static let unauthorized = HTTPStatus(rawValue: 401)
  package static let forbidden = HTTPStatus(rawValue: 403)
  package static let notFound = HTTPStatus(rawValue: 404)
  package static let methodNotAllowed = HTTPStatus(rawValue: 405)
  package static let conflict = HTTPStatus(rawValue: 409)
  package static let preconditionFailed = HTTPStatus(rawValue: 412)
  package static let contentTooLarge = HTTPStatus(rawValue: 413)
  package static let misdirectedRequest = HTTPStatus(rawValue: 421)
  package static let unprocessableContent = HTTPStatus(rawValue: 422)
  package static let tooManyRequests = HTTPStatus(rawValue: 429)
  package static let internalServerError = HTTPStatus(rawValue: 500)
  package static let notImplemented = HTTPStatus(rawValue: 501)
  package static let serviceUnavailable = HTTPStatus(rawValue: 503)
  package static let insufficientStorage = HTTPStatus(rawValue: 507)

  /// Any 2xx.
  package var isSuccess: Bool { (200..<300).contains(rawValue) }

  /// The reason phrase of RFC 9110; that of the class for codes not listed here.
  package var reasonPhrase: String {
    if let phrase = Self.phrases[rawValue] { return phrase }
    return switch rawValue {
    case 100..<200: "Informational"
    case 200..<300: "Success"
    case 300..<400: "Redirection"
    case 400..<500: "Client Error"
    default: "Server Error"
    }
  }

  private static let phrases: [Int: String] = [
    200: "OK", 201: "Created", 202: "Accepted", 204: "No Content", 302: "Found",
    304: "Not Modified",
    400: "Bad Request",
    401: "Unauthorized", 403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed",
    408: "Request Timeout", 409: "Conflict", 412: "Precondition Failed", 413: "Content Too Large",
    421: "Misdirected Request", 422: "Unprocessable Content", 429: "Too Many Requests",
    431: "Request Header Fields Too Large",
    500: "Internal Server Error", 501: "Not Implemented", 502: "Bad Gateway",
    503: "Service Unavailable", 505: "HTTP Version Not Supported", 507: "Insufficient Storage",
  ]
}
