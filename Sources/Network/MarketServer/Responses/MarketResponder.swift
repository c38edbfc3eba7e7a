import MarketAPI
import MarketModel

/// Responder to requests of all dialects from one market; knows nothing of sockets.
package struct MarketResponder: HTTPResponder {
  /// Options of how a market is served.
  package struct Options: Sendable {
    /// Dialects that it speaks; the first answers what belongs to none.
    package var dialects: [any MarketDialect]
    package var publicAddress: PublicAddress
    /// Bytes of answers that are remembered as long as nothing changes.
    package var memoryBytes = 8 << 20
    /// What stands in for answers that the market cannot give; nil for nothing.
    package var stale: StaleIfErrorPolicy?
    /// Time that the market may take for one request, whatever it does meanwhile.
    package var timeout = RequestDeadline.standard
    /// Limits of how much the market takes in.
    package var admission: AdmissionLimits
    /// The market's own id, which answers say; nil for none.
    package var marketID: MarketID?
    /// The market's name, which answers say; nil where it has none.
    package var marketName: String?
    /// The origin of the storage that pictures are redirected to, which answers say; nil for none.
    package var storage: WebAddress.Origin?
    /// Where questions to the market are measured.
    package var registry = MetricsRegistry()
    /// The clock, in seconds since 1970.
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
  /// What guards the market; pages search under the same limits.
  package let admission: AdmissionControl
  private let router: MarketRouter
  private let publicAddress: PublicAddress
  private let timeout: Duration
  private let marketID: MarketID?
  private let marketName: String?
  private let storage: WebAddress.Origin?
  private let queries: QueryMetrics
  private let stale: StaleIfErrorPolicy?
  private let cache: VersionedCache<ResponseCacheKey, CachedResponse>

  /// `intake` is that of another responder of the same market, whose limits hold for both.
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
    guard request.isReading, let base = publicAddress.base(for: request) else { return nil }
    let key = ResponseCacheKey(target: request.target, base: base)
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
      return ServerResponse(router.response(to: error, for: message))
    }
    let pictures = PictureAddresses(base: base)
    guard route.operation.isRemembered else {
      let response =
        request.isReading
        ? await response(to: route, message, from: request.client, pictures)
        : await answer(toChange: route, message, from: request.client, pictures)
      return response.saying(response.message.revalidated(for: message))
    }
    let key = ResponseCacheKey(target: request.target, base: base)
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

  /// The answer to a change, with the position from which on the market shows it.
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
    // Nobody can say it of a market that does not answer, and nobody waits for that.
    guard effect == .shown else { return response }
    var position = response.message.status.isSuccess ? written.position : nil
    // Nothing was written, but what others wrote was shown.
    if position == nil { position = await market.presentPosition() }
    guard let position else { return response }
    var message = response.message
    message.headers[HeaderName.marketPosition] = position.word
    return response.saying(message)
  }

  /// The answer to a search beyond what an address may.
  private func refusal(
    _ error: RepositoryError, of route: MarketRouter.Route, _ pictures: PictureAddresses
  ) -> ServerResponse {
    var response = route.dialect.response(
      failing: error, to: route.operation, pictures: pictures)
    response.headers[HeaderName.marketID] = marketID?.text
    return ServerResponse(response, failing: error)
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
      var response = route.dialect.response(
        with: result, to: route.operation, in: message, pictures: pictures)
      if case .fixed(let address) = publicAddress { response.headers.announce(address) }
      response.headers[HeaderName.marketID] = marketID?.text
      response.headers.marketName = marketName
      response.headers[HeaderName.marketStorage] = storage?.text
      return ServerResponse(route.operation.isTagged ? ContentTag.tagged(response) : response)
    } catch {
      var response = route.dialect.response(
        failing: error, to: route.operation, pictures: pictures)
      response.headers[HeaderName.marketID] = marketID?.text
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

/// Reason why the server is to blame, as the log says it: no secrets, and nothing of what clients
/// sent.
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
      "the database failed with \(String(code, radix: 36, uppercase: true))"
    case .store(.failed(let code)): "the store failed with code \(code)"
    case .cancelled: "the request was given up"
    case .marketFull: "the quota is used up"
    default: error.logged ?? ""
    }
  }
}

extension MarketOperation {
  /// Whether its answer stays the same as long as the market does, whoever asks.
  fileprivate var isRemembered: Bool {
    switch self {
    case .page, .detail: true
    // Whoever asks matters, nothing is asked, or what never changes is too large.
    case .seller, .health, .picture, .question: false
    case .register, .verify, .update, .delete, .requestDeletion, .confirmDeletion, .changeSeller:
      false
    }
  }

  /// Whether its answer shows what may be asked for again.
  fileprivate var isTagged: Bool {
    switch self {
    case .page, .detail, .register, .verify, .update: true
    // What is gone, and what no client asks for by what it has.
    case .delete, .requestDeletion, .confirmDeletion, .health, .seller, .changeSeller, .picture,
      .question:
      false
    }
  }
}

/// Public address of the market, with which the addresses in answers begin.
package enum PublicAddress: Hashable, Sendable {
  /// Always this: scheme, host and perhaps a path.
  case fixed(String)
  /// The host that the client itself named, or this one where it named none (HTTP/1.0).
  case asAsked(otherwise: HostAndPort)

  /// The beginning for one request; nil where the client names a host that cannot be one.
  ///
  /// What a client sends as `Host` comes back in answers that others may be given by a cache, so
  /// nothing but the characters of a host passes.
  func base(for request: ServerRequest) -> String? {
    switch self {
    case .fixed(let base): return base
    case .asAsked(let otherwise):
      let host = request.headers["Host"] ?? otherwise.description
      guard HostField.isHost(host) else { return nil }
      return (request.client.isSecure ? "https://" : "http://") + host
    }
  }
}

/// Key of a remembered answer: what an answer to a GET depends on beside the market's data.
private struct ResponseCacheKey: Hashable, Sendable {
  /// As the request line holds it.
  let target: String
  /// Beginning of the addresses in the answer.
  let base: String
}
