import MarketAPI
import MarketModel
import MarketPages
import MarketStrings

/// Decoder of a picture file for a box of dots; returns nil if the file cannot be decoded.
package typealias PageDecoding =
  @Sendable (_ file: [UInt8], _ box: TerminalPage.PictureBox) async -> Bitmap?

/// Reader of a picture file's size; returns nil if the file is no picture.
package typealias PictureMeasuring = @Sendable (_ file: [UInt8]) -> PixelSize?

/// Responder with read-only pages for browsers and `curl`, in front of the API of the same market, whose
/// cache, limits and options it shares.
package struct PagesResponder: HTTPResponder {
  /// Options of the pages alone.
  package struct Options: Sendable {
    /// Address for ssh guests; nil if there are none.
    package var guests: GuestAddress?
    /// Time zone of the days on pages.
    package var timeZone = TimeZone.utc
    /// Language for clients that accept none of ours.
    package var language = Language.english
    package var decode: PageDecoding
    package var measure: PictureMeasuring

    package init(decode: @escaping PageDecoding, measure: @escaping PictureMeasuring) {
      (self.decode, self.measure) = (decode, measure)
    }
  }

  private let api: MarketResponder
  private let options: Options
  private let loader: PageContentLoader

  /// Creates the responder; `api` answers requests that are for no page.
  package init(_ options: Options, before api: MarketResponder) {
    (self.options, self.api) = (options, api)
    loader = PageContentLoader(
      api.market, api.cache, options.decode, options.measure, now: api.options.now)
  }

  package func immediateResponse(to request: ServerRequest) -> ServerResponse? {
    guard request.isReading, PageRoute.mayBe(request.target) else {
      return api.immediateResponse(to: request)
    }
    guard let page = pageRequest(request.message.target, in: request) else { return nil }
    guard page.key.negotiation.form != .api else {
      return page.targetInAPI.flatMap { api.immediateResponse(to: request.asking($0)) }
        .map(Self.varied)
    }
    return api.cachedResponse(to: request, for: .page(page.key))
  }

  package func response(to request: ServerRequest) async -> ServerResponse {
    guard request.isReading else { return await api.response(to: request) }
    let target = request.message.target
    let isAPI =
      api.options.dialects.contains { $0.owns(target) }
      || PictureAddress(segments: target.segments) != nil
    guard !isAPI, let base = api.options.publicAddress.base(for: request) else {
      return await api.response(to: request)
    }
    return await RequestDeadline.limited(to: api.options.timeout) {
      if let page = pageRequest(target, in: request) {
        return await response(to: page, in: request)
      }
      if let asset = await asset(target, for: request) { return asset }
      return await notFoundResponse(target, request, base: base)
    }
  }

  // MARK: Pages

  /// Page that a request asks for; nil if the target is no page or `Host` is invalid.
  private func pageRequest(_ target: RequestTarget, in request: ServerRequest) -> WebPageRequest? {
    // The API reports a query that is not UTF-8.
    guard target.query.isUTF8, let route = PageRoute(target),
      let base = api.options.publicAddress.base(for: request)
    else { return nil }
    let negotiation = ContentNegotiation(
      target, request.headers, otherwise: options.language,
      prefersHTML: api.options.publicAddress.fixed != nil)
    return WebPageRequest(key: key(route, negotiation, base: base), query: target.query)
  }

  private func key(
    _ route: PageRoute, _ negotiation: ContentNegotiation, base: String
  ) -> PageKey {
    PageKey(
      route: route, negotiation: negotiation, base: base,
      period: api.options.now() / PageKey.periodSeconds)
  }

  private func response(
    to page: WebPageRequest, in request: ServerRequest
  ) async -> ServerResponse {
    let key = page.key
    guard key.negotiation.form != .api else { return await apiResponse(to: page, in: request) }
    let context = context(key)
    if case .list(let line, _) = key.route,
      let mistake = QueryText.mistake(in: line, context.strings)
    {
      let content = PageContent(.notice(mistake), at: nil)
      return ServerResponse(await message(.badRequest, content, key.negotiation.form, context))
    }
    var isSearch: Bool?
    if case .list(let line, _) = key.route, !line.isEmpty { isSearch = true }
    do throws(RepositoryError) {
      return try await api.response(to: request, for: .page(key), queueing: isSearch) {
        await self.page(key)
      }
    } catch {
      return await notice(of: error, key)
    }
  }

  private func page(_ key: PageKey) async -> ServerResponse {
    let context = context(key)
    do throws(RepositoryError) {
      if key.negotiation.form == .feed, case .list(let line, let after) = key.route {
        return Self.response(try await loader.feed(of: line, after: after, context))
      }
      let content = try await loader.content(of: key.route, key.negotiation.form, context)
      return ServerResponse(await message(.ok, content, key.negotiation.form, context))
    } catch {
      return await notice(of: error, key)
    }
  }

  private static func response(_ feed: AtomFeed) -> ServerResponse {
    var headers = headers("application/atom+xml; charset=utf-8")
    headers[HeaderName.lastModified] = feed.changed.map { HTTPDate.text($0.seconds) }
    return ServerResponse(ContentTag.tagged(HTTPResponse(.ok, headers: headers, body: feed.bytes)))
  }

  /// Page that states an error, with its status.
  private func notice(of error: RepositoryError, _ key: PageKey) async -> ServerResponse {
    let context = context(key)
    let notice = ErrorPage(error, at: key.route, context.strings)
    var message = await message(notice.status, notice.content, key.negotiation.form, context)
    let isServerError = notice.status == .serviceUnavailable
    if isServerError { message.headers[HeaderName.retryAfter] = "1" }
    if case .tooManyRequests(let seconds) = error {
      message.headers[HeaderName.retryAfter] = String(seconds)
    }
    return ServerResponse(message, because: isServerError ? error.logged : nil, failing: error)
  }

  private func context(_ key: PageKey) -> PageContext {
    let site = PageSite(
      publicAddress: api.options.publicAddress.fixed, asked: key.base, guests: options.guests,
      name: api.options.marketName)
    // All requests of a period have the same time, so that all servers give the same page.
    let now = Timestamp(seconds: key.period * PageKey.periodSeconds)
    return PageContext(site, Strings(key.negotiation.language), now: now, in: options.timeZone)
  }

  private func message(
    _ status: HTTPStatus, _ content: PageContent, _ form: ContentNegotiation.Form,
    _ context: PageContext
  ) async -> HTTPResponse {
    let body: [UInt8]
    switch form {
    case .text(let isColored):
      let drawn = isColored ? await loader.pictures(of: content) : [:]
      body = TerminalPage(content, context, pictures: drawn).bytes(isColored: isColored)
    case .feed: body = TerminalPage(content, context, pictures: [:]).bytes(isColored: false)
    case .html, .api:
      var content = content
      if api.options.publicAddress.fixed != nil, let preview = content.preview {
        content.previewSize = await loader.size(of: preview)
      }
      body = HTMLPage(content, context).bytes
    }
    let type = form == .html ? "text/html; charset=utf-8" : "text/plain; charset=utf-8"
    let message = HTTPResponse(
      status, headers: Self.headers(type, allowing: api.options.storage), body: body)
    return status == .ok ? ContentTag.tagged(message) : message
  }

  // MARK: What is no page

  /// Returns the API's response to the same search or product.
  private func apiResponse(
    to page: WebPageRequest, in request: ServerRequest
  ) async -> ServerResponse {
    if let target = page.targetInAPI {
      return Self.varied(await api.response(to: request.asking(target)))
    }
    guard case .list(let line, let after) = page.key.route,
      let search = try? await loader.request(for: line, after: after, context(page.key)),
      let message = try? ProductsDialect(variant: .y2023).request(for: .page(search.page))
    else { return await api.response(to: request) }
    return Self.varied(await api.response(to: request.asking(message.target.text)))
  }

  /// Returns 404: a page for browsers and `curl`, the API's response for other clients.
  private func notFoundResponse(
    _ target: RequestTarget, _ request: ServerRequest, base: String
  ) async -> ServerResponse {
    let negotiation = ContentNegotiation(target, request.headers, otherwise: options.language)
    guard negotiation.form != .api else { return await api.response(to: request) }
    let context = context(key(.home, negotiation, base: base))
    let content = PageContent(.notice(context.strings[.pageNotThere]), at: nil)
    return ServerResponse(await message(.notFound, content, negotiation.form, context))
  }

  /// Style sheet, icon, robots.txt or site map; nil for other paths.
  private func asset(
    _ target: RequestTarget, for request: ServerRequest
  ) async -> ServerResponse? {
    if let asset = PageAsset.allCases.first(where: { $0.path == target.path }) {
      return Self.response(asset, to: request)
    }
    let address = api.options.publicAddress.fixed.map { PictureAddresses(base: $0).base }
    if target.path == Robots.path {
      return Self.file("text/plain; charset=utf-8", Robots.bytes(publicAddress: address))
    }
    guard let address, let page = Sitemap.Page(target) else { return nil }
    switch await loader.sitemap(page) {
    case .sitemapIndex(let count):
      return Self.file("application/xml", Sitemap.index(of: count, below: address))
    case .sitemapPart(let entries):
      return Self.file("application/xml", Sitemap.part(entries, below: address))
    case .nothing(let error?): return .refusal(.serviceUnavailable, because: error.logged)
    case .nothing(nil), .response, .total, .picture, .pictureSize: return nil
    }
  }

  private static func file(_ type: String, _ bytes: [UInt8]) -> ServerResponse {
    ServerResponse(HTTPResponse(.ok, headers: headers(type), body: bytes))
  }

  /// An asset under the hash of its content never changes; one under another may be of another version.
  static func response(_ asset: PageAsset, to request: ServerRequest) -> ServerResponse {
    var headers = headers(asset.mediaType)
    headers[HeaderName.cacheControl] =
      request.target.hasSuffix("?" + asset.hash)
      ? "public, max-age=31536000, immutable" : "no-cache"
    return ServerResponse(HTTPResponse(.ok, headers: headers, body: asset.bytes))
  }

  // MARK: Headers

  private static func headers(
    _ type: String, allowing storage: WebAddress.Origin? = nil
  ) -> HTTPHeaders {
    var headers: HTTPHeaders = [
      HeaderName.contentType: type, HeaderName.cacheControl: "no-cache",
      vary: ContentNegotiation.vary,
      "Content-Security-Policy": HTMLPage.policy(allowing: storage),
      "X-Content-Type-Options": "nosniff", "Referrer-Policy": "same-origin",
    ]
    headers[HeaderName.extensions] = "1"
    return headers
  }

  private static let vary = "Vary"

  /// Adds `Vary: Accept, …`, because the same URL also serves HTML and text.
  private static func varied(_ answer: ServerResponse) -> ServerResponse {
    var message = answer.message
    message.headers.add(ContentNegotiation.vary, for: vary)
    return answer.replacingMessage(with: message)
  }
}

/// Request for a page.
private struct WebPageRequest {
  let key: PageKey
  let query: QueryItems

  /// Target of the API with the same content; nil if the search line must be read first.
  var targetInAPI: String? {
    switch key.route {
    case .list("", _):
      var items = QueryItems()
      for item in query.items where item.name != "q" { items.add(item.value, for: item.name) }
      return RequestTarget(path: Self.products, query: items).text
    case .list: return nil
    case .product(let id): return Self.products + "/" + String(id.rawValue)
    case .seller(let id, let after):
      var items = QueryItems()
      items.add(String(id.rawValue), for: "vendor_id")
      if let after { items.add(after.rawValue, for: "after") }
      return RequestTarget(path: Self.products, query: items).text
    }
  }

  private static let products = "/api/products"
}

/// Key of a cached page, in addition to the data version.
struct PageKey: Hashable, Sendable {
  let route: PageRoute
  let negotiation: ContentNegotiation
  /// Prefix of the market's addresses.
  let base: String
  /// Number of the period of `periodSeconds`, since displayed ages change without the data.
  let period: Int64

  static let periodSeconds: Int64 = 300
}

extension ServerRequest {
  /// Request with the same headers and client for another target.
  fileprivate func asking(_ target: String) -> ServerRequest {
    var request = self
    request.target = target
    return request
  }
}
