import MarketAPI
import MarketModel

/// Answer to a GET, and the short one for those who have it already.
final class CachedResponse: Sendable {
  private let full: ServerResponse
  private let notModified: ServerResponse
  private let tag: EntityTag?
  /// Seconds since 1970; nil where the answer does not say when its content changed last.
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

  /// The same, with its age, for whoever asks while nobody can tell whether it is still right.
  func response(to request: ServerRequest, aged age: Duration) -> ServerResponse {
    var message = response(to: request).message
    // Rounded up: it is never younger than it says.
    message.headers[HeaderName.age] = String(max(0, age.components.seconds) + 1)
    return ServerResponse(message)
  }

  var isSuccess: Bool { full.message.status == .ok }
  /// Whether it says that the market cannot answer now.
  var isOutage: Bool { full.message.status == .serviceUnavailable }

  /// Bytes of memory that it takes, about.
  var byteCount: Int { full.message.body.count + 2_048 }

  func response(to request: ServerRequest) -> ServerResponse {
    isSuccess && isKnown(by: request.headers) ? notModified : full
  }

  /// Whether a client says that it has the same; a date counts without a tag (RFC 9110, section 13.2.2).
  private func isKnown(by headers: HTTPHeaders) -> Bool {
    if let tags = headers[HeaderName.ifNoneMatch] { return tag?.isNamed(in: tags) == true }
    guard let changed, let since = headers[HeaderName.ifModifiedSince].flatMap(HTTPDate.read) else {
      return false
    }
    return changed <= since
  }
}

extension VersionedCache where Value == CachedResponse {
  /// A search, which may have to wait for its turn.
  typealias Search = @Sendable () async -> CachedResponse

  /// The response to a request: as it is remembered, else found out, else as it was before the market
  /// fell silent.
  ///
  /// - Parameters:
  ///   - request: what is asked.
  ///   - key: what its answer is remembered by.
  ///   - market: whose data it is made of.
  ///   - stale: the rule by which answers of before stand in; nil for never.
  ///   - turn: lets a search wait for its turn, outside of the memory, whose answers others share.
  ///   - find: finds the answer out.
  /// - Returns: the response.
  /// - Throws: what `turn` throws.
  func response(
    to request: ServerRequest, for key: Key, of market: any ServedMarket,
    orBefore stale: StaleIfErrorPolicy?,
    taking turn: (@escaping Search) async throws(RepositoryError) -> CachedResponse,
    finding find: @escaping Search
  ) async throws(RepositoryError) -> ServerResponse {
    let version = await market.presentDataVersion()
    if let known = value(for: key, at: version) { return known.response(to: request) }
    if version == nil, let before = stale?.answer(to: request, for: key, in: self) { return before }
    // The data may change while a search waits.
    let answer = try await turn {
      await self.value(for: key, at: await market.presentDataVersion(), finding: find)
    }
    if answer.isOutage, let before = stale?.answer(to: request, for: key, in: self) {
      return before
    }
    return answer.response(to: request)
  }
}

/// Entity tags of pages and products; a product has the same one in every answer that shows it.
enum ContentTag {
  /// The answer with a tag of its content, after its version where it has one: a product's page shows
  /// more than the product's version knows of, its seller's name for one.
  static func tagged(_ response: HTTPResponse) -> HTTPResponse {
    guard response.status.isSuccess else { return response }
    var response = response
    let version = response.headers[HeaderName.entityTag].flatMap { EntityTag(parsing: $0)?.value }
    var digest = ContentDigest()
    digest.add(response.body)
    let mark = String(digest.value, radix: 36)
    let value = version.map { $0 + String(ProductVersion.separator) + mark } ?? mark
    response.headers[HeaderName.entityTag] = EntityTag(value: value).text
    return response
  }
}
