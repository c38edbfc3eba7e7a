import MarketAPI
import MarketModel

/// Responder to the API requests of all dialects, independent of sockets.
package struct MarketResponder: HTTPResponder {
  /// Options of a responder.
  package struct Options: Sendable {
    /// Served dialects; the first answers requests that belong to none.
    package var dialects: [any MarketDialect]
    package var publicAddress: PublicAddress
    /// Maximum size of cached responses in bytes; beyond it the cache is cleared.
    package var memoryBytes = 8 << 20
    /// Policy of stale responses; nil uses none.
    package var stale: StaleIfErrorPolicy?
    /// Maximum time of one request; beyond it the market throws.
    package var timeout = RequestDeadline.standard
    /// Limits on the growth of the market and on searches.
    package var admission: AdmissionLimits
    /// Capabilities for the response header.
    package var capabilities = Set(ServerCapability.allCases)
    /// Market id for the response header; nil omits it.
    package var marketID: MarketID?
    /// Market name for the response header; nil omits it.
    package var marketName: String?
    /// Origin of the picture storage for the response header; nil if pictures are not redirected.
    package var storage: WebAddress.Origin?
    /// Registry of the responder's metrics.
    package var registry = MetricsRegistry()
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

  private let market: any ServedMarket
  private let service: MarketService
  /// Admission control of the market; the HTML pages search under the same limits.
  package let admission: AdmissionControl
  private let router: MarketRouter
  private let publicAddress: PublicAddress
  private let timeout: Duration
  private let capabilities: String
  private let marketID: MarketID?
  private let marketName: String?
  private let storage: WebAddress.Origin?
  private let queries: QueryMetrics
  private let stale: StaleIfErrorPolicy?
  private let cache: VersionedCache<ResponseCacheKey, CachedResponse>

  /// Creates a responder; `admission` shares the limits of another responder of the same market, nil
  /// creates new ones.
  package init(
    _ market: any ServedMarket, _ options: Options, sharing admission: AdmissionControl? = nil
  ) {
    self.market = market
    service = MarketService(market, now: options.now)
    self.admission =
      admission
      ?? AdmissionControl(
        options.admission, of: market, registry: options.registry, now: options.now)
    router = MarketRouter(options.dialects)
    publicAddress = options.publicAddress
    timeout = options.timeout
    capabilities = ServerCapability.words(of: options.capabilities)
    (marketID, marketName) = (options.marketID, options.marketName)
    storage = options.storage
    queries = QueryMetrics(options.registry)
    stale = options.stale
    cache = VersionedCache(
      limit: options.memoryBytes, meters: CacheMetrics("answers", options.registry),
      keepingEarlierBy: options.stale?.now
    ) { $0.isSuccess ? $0.byteCount : nil }
  }

  package func knownResponse(to request: ServerRequest) -> ServerResponse? {
    guard request.isReading else { return nil }
    let key = ResponseCacheKey(request, at: publicAddress)
    return cache.value(for: key, at: market.dataVersion())?.response(to: request)
  }

  package func response(to request: ServerRequest) async -> ServerResponse {
    await RequestDeadline.limited(to: timeout) { await answer(to: request) }
  }

  private func answer(to request: ServerRequest) async -> ServerResponse {
    guard let base = publicAddress.base(for: request) else {
      return .refusal(.badRequest, "Host: this is no host")
    }
    let message = request.message
    let route: MarketRouter.Route
    do throws(RequestProblem) {
      route = try router.route(message)
    } catch {
      return ServerResponse(announcing(router.response(to: error, for: message)))
    }
    let pictures = PictureAddresses(base: base)
    guard route.operation.isRemembered else {
      let response =
        request.isReading
        ? await response(to: route, message, from: request.client, pictures)
        : await answer(toChange: route, message, from: request.client, pictures)
      return response.saying(response.message.revalidated(for: message))
    }
    let key = ResponseCacheKey(request, at: publicAddress)
    let client = request.client
    do throws(RepositoryError) {
      return try await cache.response(to: request, for: key, of: market, orBefore: stale) {
        search throws(RepositoryError) in
        guard case .page(let page) = route.operation, page.query.isNarrowed else {
          return await search()
        }
        return try await admission.searching(
          from: client.network, isSearch: page.query.isSearch, search)
      } finding: {
        CachedResponse(await response(to: route, message, from: client, pictures))
      }
    } catch {
      return refusal(error, of: route, pictures)
    }
  }

  /// Answers a write, with the position from which on the market shows it.
  private func answer(
    toChange route: MarketRouter.Route, _ message: HTTPRequest, from client: RemoteClient,
    _ pictures: PictureAddresses
  ) async -> ServerResponse {
    let written = CommitPosition()
    let response = await CommitPosition.$wanted.withValue(written) {
      await self.response(to: route, message, from: client, pictures)
    }
    let effect = response.writeOutcome
    stale?.didWrite(client.address, effect)
    // The position of a market that does not answer is unknown, and the client does not wait for it.
    guard effect == .shown else { return response }
    var position = response.message.status.isSuccess ? written.position : nil
    // Nothing was written, but the response shows what other clients wrote.
    if position == nil { position = await market.presentPosition() }
    guard let position else { return response }
    var message = response.message
    message.headers[HeaderName.marketPosition] = position.word
    return response.saying(message)
  }

  /// Response to a search that admission control refused.
  private func refusal(
    _ error: RepositoryError, of route: MarketRouter.Route, _ pictures: PictureAddresses
  ) -> ServerResponse {
    let response = route.dialect.response(
      failing: error, to: route.operation, pictures: pictures)
    return ServerResponse(announcing(response), failing: error)
  }

  /// Adds the headers with the market's id and the server's capabilities.
  private func announcing(_ response: HTTPResponse) -> HTTPResponse {
    var response = response
    response.headers.add(capabilities, for: HeaderName.capabilities)
    response.headers[HeaderName.marketID] = marketID?.text
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
      defer { queries.note(route.operation, since: began) }
      let result = try await service.result(
        of: route.operation, by: message.method, for: client.address)
      var response = announcing(
        route.dialect.response(
          with: result, to: route.operation, in: message, pictures: pictures))
      if let address = publicAddress.fixed { response.headers.announce(address) }
      response.headers.marketName = marketName
      response.headers[HeaderName.marketStorage] = storage?.text
      return ServerResponse(route.operation.isTagged ? ContentTag.tagged(response) : response)
    } catch {
      var response = announcing(
        route.dialect.response(failing: error, to: route.operation, pictures: pictures))
      if case .conflict(let current) = error {
        let shown = route.dialect.response(
          with: .detail(current), to: .detail(current.id), in: message,
          pictures: pictures)
        response.headers[HeaderName.entityTag] =
          ContentTag.tagged(shown).headers[HeaderName.entityTag]
      }
      let isOurs = response.status.rawValue >= 500
      return ServerResponse(
        response, because: isOurs ? FailureReason.text(error) : nil, failing: error)
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
  fileprivate var isRemembered: Bool {
    switch self {
    case .page, .detail: true
    // Depends on the client, involves no data, or is too large.
    case .seller, .health, .picture, .question: false
    case .register, .verify, .update, .delete, .requestDeletion, .confirmDeletion, .changeSeller:
      false
    }
  }

  /// Whether the response gets an entity tag.
  fileprivate var isTagged: Bool {
    switch self {
    case .page, .detail, .register, .verify, .update: true
    // Deleted content, and responses that no client revalidates.
    case .delete, .requestDeletion, .confirmDeletion, .health, .seller, .changeSeller, .picture,
      .question:
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

  /// Address that the operator configured; nil if none.
  var fixed: String? { if case .fixed(let base) = self { base } else { nil } }

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
}

/// Key of a cached response to a GET.
///
/// It contains what the addresses in the response are made of, unchecked: a request with an invalid
/// `Host` has no cached response.
private struct ResponseCacheKey: Hashable, Sendable {
  /// Target, as in the request line.
  let target: String
  let host: String
  let isSecure: Bool

  init(_ request: ServerRequest, at address: PublicAddress) {
    target = request.target
    (host, isSecure) =
      switch address {
      case .fixed(let base): (base, false)
      case .asAsked(let otherwise): (otherwise.host(of: request), request.client.isSecure)
      }
  }
}

extension HostAndPort {
  /// Host that a client named, or this one if it named none.
  fileprivate func host(of request: ServerRequest) -> String {
    request.headers["Host"] ?? description
  }
}
