import MarketAPI
import MarketModel
import MarketPages
import MarketStrings

/// Responder with pages for people, in browsers and for `curl`, which leaves everything else to another
/// one; nothing is changed by them.
package struct PagesResponder: HTTPResponder {
  /// Options of what the pages say.
  package struct Options: Sendable {
    package var publicAddress: PublicAddress
    /// Dialects whose paths are no pages.
    package var dialects: [any MarketDialect]
    package var guests: GuestAddress?
    /// The market's name; nil where it has none.
    package var marketName: String?
    /// Time zone of the days that pages say.
    package var timeZone = TimeZone.utc
    /// For whoever asks for no language.
    package var language: Language
    /// Bytes of pages that are remembered as long as nothing changes.
    package var memoryBytes = 8 << 20
    /// What stands in for pages that the market cannot give; nil for nothing.
    package var stale: StaleIfErrorPolicy?
    /// Time that the market may take for one page.
    package var timeout = RequestDeadline.standard
    /// Where the memory of pages is measured.
    package var registry = MetricsRegistry()
    /// The origin of the storage that pictures are redirected to; nil for none.
    package var storage: WebAddress.Origin?
    /// What says how often an address may search; nil lets everybody.
    package var admission: AdmissionControl?
    package var decode: PageDecoding
    /// The clock, in seconds since 1970.
    package var now: @Sendable () -> Int64

    package init(
      publicAddress: PublicAddress, dialects: [any MarketDialect] = DialectList.market.served(),
      guests: GuestAddress? = nil, language: Language = .english, decode: @escaping PageDecoding,
      now: @escaping @Sendable () -> Int64
    ) {
      self.publicAddress = publicAddress
      self.dialects = dialects
      self.guests = guests
      self.language = language
      self.decode = decode
      self.now = now
    }
  }

  private let market: any ServedMarket
  private let options: Options
  private let finder: PageContentLoader
  private let pictures: TerminalPictureCache
  private let sitemaps: SitemapResponder
  private let cache: VersionedCache<PageKey, CachedResponse>
  private let next: any HTTPResponder

  package init(_ market: any ServedMarket, _ options: Options, before next: any HTTPResponder) {
    self.market = market
    self.options = options
    self.next = next
    finder = PageContentLoader(market)
    pictures = TerminalPictureCache(market, options.decode)
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
    guard let question = question(in: request) else { return nil }
    guard question.key.negotiation.form != .api else {
      return question.sameInAPI.flatMap { next.knownResponse(to: request.asking($0)) }
        .map(Self.varied)
    }
    return cache.value(for: question.key, at: market.dataVersion())?.response(to: request)
  }

  package func response(to request: ServerRequest) async -> ServerResponse {
    guard request.isReading, let base = options.publicAddress.base(for: request) else {
      return await next.response(to: request)
    }
    return await RequestDeadline.limited(to: options.timeout) {
      if let question = question(in: request) { return await answer(to: question, in: request) }
      if let answer = await asset(for: request) { return answer }
      return await answerElsewhere(request, base: base)
    }
  }

  // MARK: Pages

  /// What a request asks for; nil where it is no page, or its `Host` cannot be one.
  private func question(in request: ServerRequest) -> WebPageRequest? {
    let message = request.message
    // The API says what is wrong with a query that is not UTF-8.
    guard message.target.query.isUTF8, let route = PageRoute(message.target),
      let base = options.publicAddress.base(for: request)
    else { return nil }
    let negotiation = ContentNegotiation(
      message.target, request.headers, otherwise: options.language)
    return WebPageRequest(
      key: PageKey(
        route: route, negotiation: negotiation, base: base,
        period: options.now() / PageKey.periodSeconds),
      query: message.target.query)
  }

  private func answer(
    to question: WebPageRequest, in request: ServerRequest
  ) async -> ServerResponse {
    let key = question.key
    guard key.negotiation.form != .api else { return await answerAsAPI(question, in: request) }
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

  /// A page that says why there is none.
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
    var address: String?
    if case .fixed(let fixed) = options.publicAddress { address = fixed }
    let site = PageSite(
      publicAddress: address, asked: key.base, guests: options.guests,
      name: options.marketName)
    // The whole period has one time, so that all servers say the same of it.
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
    case .html, .feed, .api: body = HTMLPage(content, setting).bytes
    }
    let type = form == .html ? "text/html; charset=utf-8" : "text/plain; charset=utf-8"
    let message = HTTPResponse(
      status, headers: Self.headers(type, allowing: options.storage), body: body)
    return status == .ok ? ContentTag.tagged(message) : message
  }

  // MARK: What is no page

  /// A request for the same, in the API.
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

  /// A path that nobody has: a page says so to people, and the API to everybody else.
  private func answerElsewhere(_ request: ServerRequest, base: String) async -> ServerResponse {
    let target = request.message.target
    let isAPI =
      options.dialects.contains { $0.owns(target) }
      || PictureAddress(segments: target.segments) != nil
    let negotiation = ContentNegotiation(target, request.headers, otherwise: options.language)
    guard !isAPI, negotiation.form != .api else { return await next.response(to: request) }
    let key = PageKey(
      route: .home, negotiation: negotiation, base: base,
      period: options.now() / PageKey.periodSeconds)
    let setting = setting(key)
    let content = PageContent(.notice(setting.strings[.pageNotThere]), at: nil)
    return ServerResponse(await message(.notFound, content, negotiation.form, setting))
  }

  /// Style, icon, and what crawlers read.
  private func asset(for request: ServerRequest) async -> ServerResponse? {
    let target = request.message.target
    if let asset = PageAsset.allCases.first(where: { $0.path == target.path }) {
      return Self.answer(asset, isMarked: request.target.hasSuffix("?" + asset.mark))
    }
    var address: String?
    if case .fixed(let fixed) = options.publicAddress { address = fixed }
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

  /// An asset under its mark may be kept for ever; under another one it may be of another version.
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
    headers.announce(.present)
    return headers
  }

  private static let vary = "Vary"

  /// The answer of the API at an address that has others, too.
  private static func varied(_ answer: ServerResponse) -> ServerResponse {
    var message = answer.message
    message.headers.add(ContentNegotiation.vary, for: vary)
    return answer.saying(message)
  }
}

/// What a request for a page asks.
private struct WebPageRequest {
  let key: PageKey
  let query: QueryItems

  /// The target of the API that answers the same; nil where a search line has to be read first.
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

/// Key of a remembered page: what it depends on beside the market's data.
private struct PageKey: Hashable, Sendable {
  let route: PageRoute
  let negotiation: ContentNegotiation
  /// Beginning of the market's addresses.
  let base: String
  /// Number of the time that the page is told for: ages grow though nothing changes.
  let period: Int64

  static let periodSeconds: Int64 = 300
}

extension ServerRequest {
  /// The same request for another target.
  fileprivate func asking(_ target: String) -> ServerRequest {
    var request = self
    request.target = target
    return request
  }
}
