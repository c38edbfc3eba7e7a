import MarketAPI
import MarketModel

/// Responder to the API requests of all dialects, independent of sockets.
package struct MarketResponder: HTTPResponder {
  /// Options of a responder.
  package struct Options: Sendable {
    /// Served dialects; the first answers requests that belong to none.
    package var dialects: [any MarketDialect]
    package var publicAddress: PublicAddress
    /// Policy of stale responses; nil uses none.
    package var stale: StaleIfErrorPolicy?
    /// Maximum time of one request; beyond it the market throws.
    package var timeout = RequestDeadline.standard
    /// Limits on the growth of the market and on searches.
    package var admission: AdmissionLimits
    /// Capabilities for the response header.
    package var capabilities = Set(ServerCapability.allCases).subtracting([.uploads])
    /// Market id for the response header; nil omits it.
    package var marketID: MarketID?
    /// Market name for the response header and pages; nil if it has none.
    package var marketName: String?
    /// Origin of the picture storage; nil if pictures are not redirected.
    package var storage: WebAddress.Origin?
    /// Registry of the responder's metrics.
    package var registry = MetricsRegistry()
    /// What is told of writes, for `/ready`; nil where nobody asks.
    package var writes: WriteHealth?
    /// Clock, in seconds since 1970.
    package var now: @Sendable () -> Int64

    package init(
      dialects: [any MarketDialect] = DialectList.market.served(),
      publicAddress: PublicAddress,
      admission: AdmissionLimits = AdmissionLimits(), now: @escaping @Sendable () -> Int64
    ) {
      self.dialects = dialects
      self.publicAddress = publicAddress
      self.admission = admission
      self.now = now
    }
  }

  let market: any ServedMarket
  let options: Options
  /// Admission control of the market; another responder of the same market may share it.
  package let admission: AdmissionControl
  let cache: ServerCache
  private let service: MarketService
  private let router: MarketRouter
  private let capabilities: String
  private let queries: QueryMetrics

  /// Creates a responder; `admission` shares the limits of another responder of the same market, nil
  /// creates new ones.
  package init(
    _ market: any ServedMarket, _ options: Options, sharing admission: AdmissionControl? = nil
  ) {
    self.market = market
    self.options = options
    self.admission =
      admission
      ?? AdmissionControl(
        options.admission, of: market, registry: options.registry, now: options.now)
    cache = ServerCache(options.registry, keepingStaleBy: options.stale?.now)
    service = MarketService(market, cache, now: options.now)
    router = MarketRouter(options.dialects)
    capabilities = ServerCapability.words(of: options.capabilities)
    queries = QueryMetrics(options.registry)
  }

  package func immediateResponse(to request: ServerRequest) -> ServerResponse? {
    guard request.isReading else { return nil }
    return cachedResponse(to: request, for: options.publicAddress.cacheKey(of: request))
  }

  /// Response in the cache; nil if there is none of the present data.
  func cachedResponse(to request: ServerRequest, for key: ServerCacheKey) -> ServerResponse? {
    cache.value(for: key, at: market.dataVersion())?.response?.response(to: request)
  }

  package func response(to request: ServerRequest) async -> ServerResponse {
    await RequestDeadline.limited(to: options.timeout) { await routedResponse(to: request) }
  }

  private func routedResponse(to request: ServerRequest) async -> ServerResponse {
    guard let base = options.publicAddress.base(for: request) else {
      return .refusal(.badRequest, "Host: this is no host")
    }
    let message = request.message
    let route: MarketRouter.Route
    do throws(RequestProblem) {
      route = try router.route(message)
    } catch {
      return ServerResponse(announcing(router.response(to: error, for: message)))
    }
    if case .report = route.operation, !options.capabilities.contains(.reports) {
      return ServerResponse(announcing(router.response(to: .unknownRoute, for: message)))
    }
    let pictures = PictureAddresses(base: base)
    let client = request.client
    guard route.operation.isCacheable else {
      let response =
        request.isReading
        ? await response(to: route, message, from: client, pictures)
        : await responseToWrite(route, message, from: client, pictures)
      return response.replacingMessage(with: response.message.revalidated(for: message))
    }
    var isSearch: Bool?
    if case .page(let page) = route.operation, page.query.isNarrowed {
      isSearch = page.query.isSearch
    }
    do throws(RepositoryError) {
      return try await response(
        to: request, for: options.publicAddress.cacheKey(of: request), queueing: isSearch
      ) {
        await response(to: route, message, from: client, pictures)
      }
    } catch {
      let response = route.dialect.response(
        failing: error, to: route.operation, pictures: pictures)
      return ServerResponse(announcing(response), failing: error)
    }
  }

  /// Returns the cached response, else a computed one, or a stale one if the market does not answer.
  ///
  /// The computation is queued among those of its network; `isSearch` also counts it against the
  /// searches of a minute. It is not queued if `isSearch` is nil.
  /// - Throws: what `AdmissionControl.searching(from:isSearch:_:)` throws.
  func response(
    to request: ServerRequest, for key: ServerCacheKey, queueing isSearch: Bool?,
    computing compute: @escaping @Sendable () async -> ServerResponse
  ) async throws(RepositoryError) -> ServerResponse {
    let version = await market.presentDataVersion()
    if let cached = cache.value(for: key, at: version)?.response {
      return cached.response(to: request)
    }
    if version == nil, let stale = options.stale?.response(to: request, for: key, in: cache) {
      return stale
    }
    // Concurrent requests share a computation, not a place in the queue, and the data may change while
    // a search waits.
    let find = {
      let version = await market.presentDataVersion()
      return await cache.value(for: key, at: version) { .response(CachedResponse(await compute())) }
    }
    let value =
      if let isSearch {
        try await admission.searching(from: request.client.network, isSearch: isSearch, find)
      } else {
        await find()
      }
    guard let computed = value.response else { return .refusal(.internalServerError) }
    if computed.isOutage, let stale = options.stale?.response(to: request, for: key, in: cache) {
      return stale
    }
    return computed.response(to: request)
  }

  /// Performs a write; the response has the position from which on the market shows it.
  private func responseToWrite(
    _ route: MarketRouter.Route, _ message: HTTPRequest, from client: RemoteClient,
    _ pictures: PictureAddresses
  ) async -> ServerResponse {
    let written = CommitPosition()
    let response = await CommitPosition.$wanted.withValue(written) {
      await self.response(to: route, message, from: client, pictures)
    }
    let outcome = response.writeOutcome
    options.stale?.didWrite(client.address, outcome)
    // The position of a market that does not answer is unknown, and the client does not wait for it.
    guard outcome == .shown else { return response }
    var position = response.message.status.isSuccess ? written.position : nil
    // Nothing was written, but the response shows what other clients wrote.
    if position == nil { position = await market.presentPosition() }
    guard let position else { return response }
    var message = response.message
    message.headers[HeaderName.marketPosition] = position.word
    return response.replacingMessage(with: message)
  }

  /// Adds the headers with the market's id and the server's capabilities.
  private func announcing(_ response: HTTPResponse) -> HTTPResponse {
    var response = response
    response.headers.add(capabilities, for: HeaderName.capabilities)
    response.headers[HeaderName.marketID] = options.marketID?.text
    return response
  }

  private func response(
    to route: MarketRouter.Route, _ message: HTTPRequest, from client: RemoteClient,
    _ pictures: PictureAddresses
  ) async -> ServerResponse {
    do throws(RepositoryError) {
      let growth = try await admission.begin(route.operation, from: client.network)
      defer { admission.end(growth) }
      let began = ContinuousClock.now
      defer { queries.record(route.operation, since: began) }
      let result = try await service.result(
        of: route.operation, by: message.method, for: client.address)
      if message.method != .get, message.method != .head { options.writes?.didWrite(nil) }
      var response = announcing(
        route.dialect.response(
          with: result, to: route.operation, in: message, pictures: pictures))
      if let address = options.publicAddress.fixed { response.headers.announce(address) }
      response.headers.marketName = options.marketName
      response.headers[HeaderName.marketStorage] = options.storage?.text
      return ServerResponse(route.operation.isTagged ? ContentTag.tagged(response) : response)
    } catch {
      options.writes?.didWrite(error)
      var response = announcing(
        route.dialect.response(failing: error, to: route.operation, pictures: pictures))
      if case .conflict(let current) = error {
        let shown = route.dialect.response(
          with: .detail(current), to: .detail(current.id), in: message,
          pictures: pictures)
        response.headers[HeaderName.entityTag] =
          ContentTag.tagged(shown).headers[HeaderName.entityTag]
      }
      let isServerError = response.status.rawValue >= 500
      return ServerResponse(
        response, because: isServerError ? FailureReason.text(error) : nil, failing: error)
    }
  }
}

/// Log text of a server error; contains no secrets and nothing that clients sent.
private enum FailureReason {
  static func text(_ error: RepositoryError) -> String {
    switch error {
    case .store(.locked): "the store took too long, or others held it"
    case .store(.readOnly), .store(.readOnlyFolder): "the store is read-only"
    case .store(.diskFull): "the store has no room left"
    case .store(.unavailable), .store(.unconfirmed), .store(.picturesUnavailable),
      .store(.cannotOpen):
      error.reason
    // PostgreSQL's codes are five digits and letters, and SQLite's are small numbers.
    case .store(.failed(let code)) where code > UInt16.max:
      "the database failed with \(StoreFailure.sqlState(of: code))"
    case .store(.failed(let code)): "the store failed with code \(code)"
    case .cancelled: "the request was given up"
    case .marketFull: "the quota is used up"
    default: error.logged ?? ""
    }
  }
}

extension MarketOperation {
  /// Whether the response is cached: it depends on the data alone, not on the client.
  fileprivate var isCacheable: Bool {
    switch self {
    case .page, .detail: true
    // Depends on the client, involves no data, or is too large.
    case .seller, .health, .picture, .question: false
    case .register, .verify, .update, .delete, .requestDeletion, .confirmDeletion, .changeSeller,
      .report:
      false
    }
  }

  /// Whether the response gets an entity tag.
  fileprivate var isTagged: Bool {
    switch self {
    case .page, .detail, .register, .verify, .update: true
    // Deleted content, and responses that no client revalidates.
    case .delete, .requestDeletion, .confirmDeletion, .health, .seller, .changeSeller, .picture,
      .question, .report:
      false
    }
  }
}

/// Public address of the market, the prefix of the addresses in responses.
package enum PublicAddress: Hashable, Sendable {
  /// Fixed scheme, host and optional path.
  case fixed(String)
  /// Host that the client named, or `otherwise` if it named none (HTTP/1.0).
  case asAsked(otherwise: HostAndPort)

  /// The fixed address; nil if there is none.
  var fixed: String? { if case .fixed(let address) = self { address } else { nil } }

  /// Prefix of the addresses in the response to a request; nil for an invalid `Host`.
  ///
  /// The client's `Host` is echoed in responses that a shared cache may give to others, so only
  /// characters of a host are allowed.
  func base(for request: ServerRequest) -> String? {
    switch self {
    case .fixed(let base): return base
    case .asAsked(let otherwise):
      let host = otherwise.host(of: request)
      guard HostField.isHost(host) else { return nil }
      return (request.client.isSecure ? "https://" : "http://") + host
    }
  }

  /// Cache key of a GET of the API.
  fileprivate func cacheKey(of request: ServerRequest) -> ServerCacheKey {
    switch self {
    case .fixed(let base):
      .response(target: request.target, host: base, isSecure: false)
    case .asAsked(let otherwise):
      .response(
        target: request.target, host: otherwise.host(of: request),
        isSecure: request.client.isSecure)
    }
  }
}

extension HostAndPort {
  /// Host that a client named, or this one if it named none.
  fileprivate func host(of request: ServerRequest) -> String {
    request.headers["Host"] ?? description
  }
}
