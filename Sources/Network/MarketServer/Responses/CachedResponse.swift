import MarketAPI
import MarketModel

/// Response to a GET, with its 304 form for clients that have it already.
final class CachedResponse: Sendable {
  private let full: ServerResponse
  private let notModified: ServerResponse
  private let tag: EntityTag?
  /// Time of the last change in seconds since 1970; nil if the response has no `Last-Modified`.
  private let changed: Int64?

  init(_ answer: ServerResponse) {
    full = answer
    let response = answer.message
    tag = response.headers[HeaderName.entityTag].flatMap { EntityTag(parsing: $0) }
    changed = response.headers[HeaderName.lastModified].flatMap(HTTPDate.read)
    var headers = response.headers
    headers[HeaderName.contentType] = nil
    notModified = ServerResponse(HTTPResponse(.notModified, headers: headers))
  }

  /// Returns the response with an `Age` header; used while the data version is unknown.
  func response(to request: ServerRequest, aged age: Duration) -> ServerResponse {
    var message = response(to: request).message
    // Rounded up, so that it is never older than it says.
    message.headers[HeaderName.age] = String(max(0, age.components.seconds) + 1)
    return ServerResponse(message)
  }

  var isSuccess: Bool { full.message.status == .ok }
  /// Whether the response is a 503.
  var isOutage: Bool { full.message.status == .serviceUnavailable }

  /// Approximate memory in bytes.
  var byteCount: Int { full.message.body.count + 2_048 }

  func response(to request: ServerRequest) -> ServerResponse {
    isSuccess && isKnown(by: request.headers) ? notModified : full
  }

  /// Whether the client has the same content; a date counts only without a tag (RFC 9110, section
  /// 13.2.2).
  private func isKnown(by headers: HTTPHeaders) -> Bool {
    if let tags = headers[HeaderName.ifNoneMatch] { return tag?.isNamed(in: tags) == true }
    guard let changed, let since = headers[HeaderName.ifModifiedSince].flatMap(HTTPDate.read) else {
      return false
    }
    return changed <= since
  }
}

/// Entity tags of pages and products; a product has the same tag in every response.
enum ContentTag {
  /// Adds an entity tag: the version, if the response has one, and a hash of the content.
  ///
  /// A product's page shows more than the product's version covers, such as the seller's name.
  static func tagged(_ response: HTTPResponse) -> HTTPResponse {
    guard response.status.isSuccess else { return response }
    var response = response
    let version = response.headers[HeaderName.entityTag].flatMap { EntityTag(parsing: $0)?.value }
    var digest = ContentDigest()
    digest.add(response.body)
    let hash = String(digest.value, radix: 36)
    let value = version.map { $0 + String(ProductVersion.separator) + hash } ?? hash
    response.headers[HeaderName.entityTag] = EntityTag(value: value).text
    return response
  }
}
