import MarketAPI
import MarketModel
import MarketPages
import MarketStrings

/// Responder with read-only pages for browsers and `curl`; passes other requests to `next`.
package struct PagesResponder: HTTPResponder {
  /// Options of the pages.
  package struct Options: Sendable {
    package var publicAddress: PublicAddress
    /// Dialects whose paths are not pages.
    package var dialects: [any MarketDialect]
    /// Address for ssh guests; nil if there are none.
    package var guests: GuestAddress?
    /// Name of the market; nil if it has none.
    package var marketName: String?
    /// Time zone of the days on pages.
    package var timeZone = TimeZone.utc
    /// Language for clients that accept none of ours.
    package var language: Language
    /// Maximum size of cached pages in bytes; beyond it the cache is cleared.
    package var memoryBytes = 8 << 20
    /// Policy of stale responses; nil uses none.
    package var stale: StaleIfErrorPolicy?
    /// Maximum time of one page; beyond it the market throws.
    package var timeout = RequestDeadline.standard
    /// Registry of the page cache's metrics.
    package var registry = MetricsRegistry()
    /// Origin of the picture storage; nil if pictures are not redirected.
    package var storage: WebAddress.Origin?
    /// Admission control of searches; nil sets no limits.
    package var admission: AdmissionControl?
    package var decode: PageDecoding
    package var measure: PictureMeasuring
    /// Clock, in seconds since 1970.
    package var now: @Sendable () -> Int64

    package init(
      publicAddress: PublicAddress, dialects: [any MarketDialect] = DialectList.market.served(),
      guests: GuestAddress? = nil, language: Language = .english, decode: @escaping PageDecoding,
      measure: @escaping PictureMeasuring, now: @escaping @Sendable () -> Int64
    ) {
      self.publicAddress = publicAddress
      self.dialects = dialects
      self.guests = guests
      self.language = language
      self.decode = decode
      self.measure = measure
      self.now = now
    }
  }

  private let market: any ServedMarket
  private let options: Options
  private let finder: PageContentLoader
  private let pictures: TerminalPictureCache
  private let sizes: PictureSizeCache
  private let sitemaps: SitemapResponder
  private let cache: VersionedCache<PageKey, CachedResponse>
  private let next: any HTTPResponder

  /// Creates the responder; `next` answers requests that are for no page.
  package init(_ market: any ServedMarket, _ options: Options, before next: any HTTPResponder) {
    self.market = market
    self.options = options
    self.next = next
    finder = PageContentLoader(market)
    pictures = TerminalPictureCache(market, options.decode)
    sizes = PictureSizeCache(market, options.measure)
    sitemaps = SitemapResponder(market)
    cache = VersionedCache(
      limit: options.memoryBytes, meters: CacheMetrics("pages", options.registry),
      keepingEarlierBy: options.stale?.now
    ) { $0.isSuccess ? $0.byteCount : nil }
  }

  package func knownResponse(to request: ServerRequest) -> ServerResponse? {
    guard request.isReading, PageRoute.mayBe(request.target) else {
      return next.knownResponse(to: request)
    }
    guard let question = question(request.message.target, in: request) else { return nil }
    guard question.key.negotiation.form != .api else {
      return question.sameInAPI.flatMap { next.knownResponse(to: request.asking($0)) }
        .map(Self.varied)
    }
    return cache.value(for: question.key, at: market.dataVersion())?.response(to: request)
  }

  package func response(to request: ServerRequest) async -> ServerResponse {
    guard request.isReading else { return await next.response(to: request) }
    let target = request.message.target
    let isAPI =
      options.dialects.contains { $0.owns(target) }
      || PictureAddress(segments: target.segments) != nil
    guard !isAPI, let base = options.publicAddress.base(for: request) else {
      return await next.response(to: request)
    }
    return await RequestDeadline.limited(to: options.timeout) {
      if let question = question(target, in: request) {
        return await answer(to: question, in: request)
      }
      if let answer = await asset(target, for: request) { return answer }
      return await answerElsewhere(target, request, base: base)
    }
  }

  // MARK: Pages

  /// Page that a request asks for; nil if the target is no page or `Host` is invalid.
  private func question(_ target: RequestTarget, in request: ServerRequest) -> WebPageRequest? {
    // The API reports a query that is not UTF-8.
    guard target.query.isUTF8, let route = PageRoute(target),
      let base = options.publicAddress.base(for: request)
    else { return nil }
    let negotiation = ContentNegotiation(
      target, request.headers, otherwise: options.language,
      prefersHTML: options.publicAddress.fixed != nil)
    return WebPageRequest(
      key: PageKey(
        route: route, negotiation: negotiation, base: base,
        period: options.now() / PageKey.periodSeconds),
      query: target.query)
  }

  private func answer(
    to question: WebPageRequest, in request: ServerRequest
  ) async -> ServerResponse {
    let key = question.key
    guard key.negotiation.form != .api else { return await answerAsAPI(question, in: request) }
    let setting = setting(key)
    if case .list(let line, _) = key.route,
      let mistake = QueryText.mistake(in: line, setting.strings)
    {
      let content = PageContent(.notice(mistake), at: nil)
      return ServerResponse(
        await message(.badRequest, content, key.negotiation.form, setting))
    }
    do throws(RepositoryError) {
      return try await cache.response(to: request, for: key, of: market, orBefore: options.stale) {
        search throws(RepositoryError) in
        guard case .list(let line, _) = key.route, !line.isEmpty, let admission = options.admission
        else {
          return await search()
        }
        return try await admission.searching(from: request.client.network, search)
      } finding: {
        CachedResponse(await page(key))
      }
    } catch {
      return await notice(of: error, key)
    }
  }

  private func page(_ key: PageKey) async -> ServerResponse {
    let setting = setting(key)
    do throws(RepositoryError) {
      if key.negotiation.form == .feed, case .list(let line, let after) = key.route {
        return Self.answer(try await finder.feed(of: line, after: after, setting))
      }
      let content = try await finder.content(of: key.route, key.negotiation.form, setting)
      return ServerResponse(await message(.ok, content, key.negotiation.form, setting))
    } catch {
      return await notice(of: error, key)
    }
  }

  private static func answer(_ feed: AtomFeed) -> ServerResponse {
    var headers = headers("application/atom+xml; charset=utf-8")
    headers[HeaderName.lastModified] = feed.changed.map { HTTPDate.text($0.seconds) }
    return ServerResponse(ContentTag.tagged(HTTPResponse(.ok, headers: headers, body: feed.bytes)))
  }

  /// Page that states an error, with its status.
  private func notice(of error: RepositoryError, _ key: PageKey) async -> ServerResponse {
    let setting = setting(key)
    let notice = ErrorPage(error, at: key.route, setting.strings)
    var message = await message(notice.status, notice.content, key.negotiation.form, setting)
    let isOurs = notice.status == .serviceUnavailable
    if isOurs { message.headers[HeaderName.retryAfter] = "1" }
    if case .tooManyRequests(let seconds) = error {
      message.headers[HeaderName.retryAfter] = String(seconds)
    }
    return ServerResponse(message, because: isOurs ? error.logged : nil, failing: error)
  }

  private func setting(_ key: PageKey) -> PageContext {
    let site = PageSite(
      publicAddress: options.publicAddress.fixed, asked: key.base, guests: options.guests,
      name: options.marketName)
    // All requests of a period have the same time, so that all servers give the same page.
    let now = Timestamp(seconds: key.period * PageKey.periodSeconds)
    return PageContext(site, Strings(key.negotiation.language), now: now, in: options.timeZone)
  }

  private func message(
    _ status: HTTPStatus, _ content: PageContent, _ form: ContentNegotiation.Form,
    _ setting: PageContext
  ) async -> HTTPResponse {
    let body: [UInt8]
    switch form {
    case .text(let isColored):
      let drawn = isColored ? await pictures.drawn(for: content) : [:]
      body = TerminalPage(content, setting, pictures: drawn).bytes(isColored: isColored)
    case .feed: body = TerminalPage(content, setting, pictures: [:]).bytes(isColored: false)
    case .html, .api:
      var content = content
      if options.publicAddress.fixed != nil, let preview = content.preview {
        content.previewSize = await sizes.size(of: preview)
      }
      body = HTMLPage(content, setting).bytes
    }
    let type = form == .html ? "text/html; charset=utf-8" : "text/plain; charset=utf-8"
    let message = HTTPResponse(
      status, headers: Self.headers(type, allowing: options.storage), body: body)
    return status == .ok ? ContentTag.tagged(message) : message
  }

  // MARK: What is no page

  /// Answers with the API's response to the same search or product.
  private func answerAsAPI(
    _ question: WebPageRequest, in request: ServerRequest
  ) async -> ServerResponse {
    if let target = question.sameInAPI {
      return Self.varied(await next.response(to: request.asking(target)))
    }
    let setting = setting(question.key)
    guard case .list(let line, let after) = question.key.route,
      let asked = try? await finder.request(for: line, after: after, setting),
      let message = try? ProductsDialect(variant: .y2023).request(for: .page(asked.page))
    else { return await next.response(to: request) }
    return Self.varied(await next.response(to: request.asking(message.target.text)))
  }

  /// Answers 404: as a page for browsers and `curl`, by the API for other clients.
  private func answerElsewhere(
    _ target: RequestTarget, _ request: ServerRequest, base: String
  ) async -> ServerResponse {
    let negotiation = ContentNegotiation(target, request.headers, otherwise: options.language)
    guard negotiation.form != .api else { return await next.response(to: request) }
    let key = PageKey(
      route: .home, negotiation: negotiation, base: base,
      period: options.now() / PageKey.periodSeconds)
    let setting = setting(key)
    let content = PageContent(.notice(setting.strings[.pageNotThere]), at: nil)
    return ServerResponse(await message(.notFound, content, negotiation.form, setting))
  }

  /// Style sheet, icon, robots.txt or site map; nil for other paths.
  private func asset(
    _ target: RequestTarget, for request: ServerRequest
  ) async -> ServerResponse? {
    if let asset = PageAsset.allCases.first(where: { $0.path == target.path }) {
      return Self.answer(asset, isMarked: request.target.hasSuffix("?" + asset.mark))
    }
    let address = options.publicAddress.fixed
    if target.path == Robots.path {
      return ServerResponse(
        HTTPResponse(
          .ok, headers: Self.headers("text/plain; charset=utf-8"),
          body: Robots.bytes(publicAddress: address.map { PictureAddresses(base: $0).base })))
    }
    guard let address, let page = Sitemap.Page(target) else { return nil }
    return await sitemaps.answer(
      to: page, below: PictureAddresses(base: address).base, hour: options.now() / 3_600)
  }

  /// An asset under its current mark never changes; one under another mark may be of another version.
  private static func answer(_ asset: PageAsset, isMarked: Bool) -> ServerResponse {
    var headers = headers(asset.mediaType)
    headers[HeaderName.cacheControl] =
      isMarked ? "public, max-age=31536000, immutable" : "no-cache"
    return ServerResponse(HTTPResponse(.ok, headers: headers, body: asset.bytes))
  }

  // MARK: Headers

  static func headers(
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
    return answer.saying(message)
  }
}

/// Request for a page.
private struct WebPageRequest {
  let key: PageKey
  let query: QueryItems

  /// Target of the API with the same content; nil if the search line must be read first.
  var sameInAPI: String? {
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
private struct PageKey: Hashable, Sendable {
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
