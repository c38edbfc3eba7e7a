import MarketAPI

/// An answer to a GET, and the short one for those who have it already.
final class RememberedAnswer: Sendable {
  private let full: ServerResponse
  private let notModified: ServerResponse
  private let tag: EntityTag?

  init(_ answer: ServerResponse) {
    full = answer
    let response = answer.message
    tag = response.headers[HeaderName.entityTag].flatMap { EntityTag(parsing: $0) }
    var headers = response.headers
    headers[HeaderName.contentType] = nil
    notModified = ServerResponse(HTTPResponse(.notModified, headers: headers))
  }

  var isSuccess: Bool { full.message.status == .ok }

  /// What it takes in memory, about.
  var byteCount: Int { full.message.body.count + 2_048 }

  func response(to request: ServerRequest) -> ServerResponse {
    guard isSuccess, let tag, let known = request.headers[HeaderName.ifNoneMatch],
      tag.isNamed(in: known)
    else { return full }
    return notModified
  }
}
