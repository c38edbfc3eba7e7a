import MarketAPI
import MarketModel

/// Answers requests of all dialects from one market; knows nothing of sockets.
package struct MarketResponder: HTTPResponder {
  /// How a market is served.
  package struct Options: Sendable {
    /// What it speaks; the first answers what belongs to none.
    package var dialects: [any MarketDialect]
    package var publicAddress: PublicAddress
    /// Bytes of answers that are remembered as long as nothing changes.
    package var memoryBytes = 8 << 20
    /// How long the market may take for one request, whatever it does meanwhile.
    package var patience = Duration.seconds(5)
    /// How much the market takes in.
    package var intake: IntakeLimits
    /// The clock, in seconds since 1970.
    package var now: @Sendable () -> Int64

    package init(
      dialects: [any MarketDialect] = DialectList.market.served(),
      publicAddress: PublicAddress,
      intake: IntakeLimits = IntakeLimits(), now: @escaping @Sendable () -> Int64
    ) {
      self.dialects = dialects
      self.publicAddress = publicAddress
      self.intake = intake
      self.now = now
    }
  }

  private let market: any ServedMarket
  private let service: MarketService
  private let intake: Intake
  private let router: MarketRouter
  private let publicAddress: PublicAddress
  private let patience: Duration
  private let memory: VersionedMemory<AnswerKey, RememberedAnswer>

  package init(_ market: any ServedMarket, _ options: Options) {
    self.market = market
    service = MarketService(market, now: options.now)
    intake = Intake(options.intake, of: market, now: options.now)
    router = MarketRouter(options.dialects)
    publicAddress = options.publicAddress
    patience = options.patience
    memory = VersionedMemory(limit: options.memoryBytes) { $0.isSuccess ? $0.byteCount : nil }
  }

  package func knownResponse(to request: ServerRequest) -> ServerResponse? {
    guard request.isReading, let base = publicAddress.base(for: request) else { return nil }
    let key = AnswerKey(target: request.target, base: base)
    return memory.value(for: key, at: market.dataVersion())?.response(to: request)
  }

  package func response(to request: ServerRequest) async -> ServerResponse {
    await RequestBudget.limited(to: patience) { await answer(to: request) }
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
      let response = await response(to: route, message, from: request.visitor, pictures)
      return ServerResponse(
        response.message.revalidated(for: message), because: response.reason)
    }
    let key = AnswerKey(target: request.target, base: base)
    let answer = await memory.value(for: key, at: market.dataVersion()) {
      RememberedAnswer(await response(to: route, message, from: request.visitor, pictures))
    }
    return answer.response(to: request)
  }

  private func response(
    to route: MarketRouter.Route, _ message: HTTPRequest, from visitor: Visitor,
    _ pictures: PictureAddresses
  ) async -> ServerResponse {
    do throws(RepositoryError) {
      let address = visitor.address
      let growth = try await intake.begin(route.operation, from: address)
      defer { intake.end(growth) }
      let result = try await service.result(of: route.operation, for: address)
      let response = route.dialect.response(
        with: result, to: route.operation, in: message, pictures: pictures)
      return ServerResponse(route.operation.isTagged ? ContentTag.tagged(response) : response)
    } catch {
      var response = route.dialect.response(
        failing: error, to: route.operation, pictures: pictures)
      if case .conflict(let current) = error {
        let shown = route.dialect.response(
          with: .detail(current), to: .detail(current.id), in: message,
          pictures: pictures)
        response.headers[HeaderName.entityTag] =
          ContentTag.tagged(shown).headers[HeaderName.entityTag]
      }
      let isOurs = response.status.rawValue >= 500
      return ServerResponse(response, because: isOurs ? FailureReason.text(error) : nil)
    }
  }
}

/// Why the server is to blame, as the log says it: no secrets, and nothing of what clients sent.
private enum FailureReason {
  static func text(_ error: RepositoryError) -> String {
    switch error {
    case .store(.locked): "the store took too long, or others held it"
    case .store(.readOnly), .store(.readOnlyFolder): "the store is read-only"
    case .store(.diskFull): "the store has no room left"
    case .store(.unavailable(let reason)), .store(.cannotOpen(let reason)): reason
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
    default: false
    }
  }

  /// Whether its answer shows what may be asked for again.
  fileprivate var isTagged: Bool {
    switch self {
    case .page, .detail, .register, .verify, .update: true
    default: false
    }
  }
}
