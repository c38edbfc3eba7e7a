import MarketAPI
import MarketModel
import Synchronization

/// Limits on the growth of a market and on the requests of one network; nil sets none.
package struct AdmissionLimits: Hashable, Sendable {
  /// Maximum registrations a minute from one network; beyond it `.tooManyRequests`.
  package var registrationsPerMinute: Int? = 600
  /// Maximum questions and answers an hour from one network; beyond it `.tooManyRequests`.
  package var questionsPerHour: Int? = QuestionRules.sentInHour
  /// Maximum reports an hour from one network; beyond it `.tooManyRequests`.
  package var reportsPerHour: Int? = Report.sentInHour
  /// Maximum bytes a day from one network; beyond it `.tooManyRequests`.
  package var bytesPerDay: Int64?
  /// Maximum uncached searches a minute from one network; beyond it `.tooManyRequests`.
  package var searchesPerMinute: Int?
  /// Maximum concurrent searches of one network; further ones wait, then `.tooManyRequests`.
  package var searchesAtOnce: Int? = 2
  /// Maximum bytes of the store; beyond it `.marketFull`.
  package var storeBytes: Int64?
  /// Maximum number of products in the store; beyond it `.marketFull`.
  package var storeProducts: Int?

  package init() {}
}

/// Admission control of writes that make the market grow (registrations, questions, edits with new
/// pictures or texts) and of expensive searches.
package final class AdmissionControl: Sendable {
  /// Growth of a store by one operation.
  struct Growth: Hashable {
    var bytes: Int64 = 0
    var products = 0

    static func + (left: Growth, right: Growth) -> Growth {
      Growth(bytes: left.bytes + right.bytes, products: left.products + right.products)
    }
  }

  /// Limit that refused a request, as the label of a metric.
  private enum Limit: Hashable, CaseIterable {
    /// Limit of one network, shared by all servers.
    case shared(RateLimitUsage.Limit)
    case searchesAtOnce
    case storeBytes
    case storeProducts

    static let allCases =
      RateLimitUsage.Limit.allCases.map(Limit.shared) + [
        .searchesAtOnce, .storeBytes, .storeProducts,
      ]

    var label: String {
      switch self {
      case .shared(let limit): "\(limit)"
      case .searchesAtOnce: "searches_at_once"
      case .storeBytes: "store_bytes"
      case .storeProducts: "store_products"
      }
    }
  }

  private static let minuteNanoseconds: Int64 = 60_000_000_000
  private static let hourNanoseconds = minuteNanoseconds * 60
  private static let dayNanoseconds = hourNanoseconds * 24

  private let limits: AdmissionLimits
  private let market: any ServedMarket
  private let limiter: SharedRateLimiter
  /// Queue of searches; nil without a limit.
  private let searches: SearchQueue?
  private let meters: [Limit: CounterMetric]
  /// Growth by operations in progress.
  private let pendingGrowth = Mutex(Growth())

  init(
    _ limits: AdmissionLimits, of market: any ServedMarket,
    registry: MetricsRegistry = MetricsRegistry(),
    now: @escaping @Sendable () -> Int64
  ) {
    self.limits = limits
    self.market = market
    limiter = SharedRateLimiter(of: market, now: now)
    searches = limits.searchesAtOnce.map(SearchQueue.init(limit:))
    meters = Dictionary(
      uniqueKeysWithValues: Limit.allCases.map { ($0, registry.counter(.limited, $0.label)) })
  }

  /// Admits an operation and returns its growth, to be passed to `end(_:)` afterwards.
  /// - Throws: `.tooManyRequests` if a limit of the network is exceeded, `.marketFull` if a limit of
  ///   the store is.
  func begin(
    _ operation: MarketOperation, from network: ClientNetwork
  ) async throws(RepositoryError) -> Growth {
    switch operation {
    case .register: try await register(network)
    case .question(.ask), .question(.answer):
      if let perHour = limits.questionsPerHour {
        try await use(1, of: Int64(perHour), each: Self.hourNanoseconds, .questions, network)
      }
    case .report:
      if let perHour = limits.reportsPerHour {
        try await use(1, of: Int64(perHour), each: Self.hourNanoseconds, .reports, network)
      }
    default: break
    }
    return try await begin(operation.growth, from: network)
  }

  private func register(_ network: ClientNetwork) async throws(RepositoryError) {
    guard let perMinute = limits.registrationsPerMinute else { return }
    try await use(1, of: Int64(perMinute), each: Self.minuteNanoseconds, .registrations, network)
  }

  /// Admits a page for photos, which counts as a registration.
  /// - Throws: what `begin(_:from:)` throws.
  func openUpload(from network: ClientNetwork) async throws(RepositoryError) {
    try await register(network)
    end(try await begin(Growth(bytes: 1), from: network))
  }

  /// Admits photos of a page and returns their growth, to be passed to `end(_:)` afterwards.
  /// - Throws: what `begin(_:from:)` throws.
  func beginUpload(
    of bytes: Int64, from network: ClientNetwork
  ) async throws(RepositoryError) -> Growth {
    try await begin(Growth(bytes: bytes), from: network)
  }

  private func begin(
    _ growth: Growth, from network: ClientNetwork
  ) async throws(RepositoryError) -> Growth {
    if growth.bytes > 0, let perDay = limits.bytesPerDay {
      try await use(growth.bytes, of: perDay, each: Self.dayNanoseconds, .bytes, network)
    }
    guard growth != Growth() else { return growth }
    let stored = await stored(for: growth)
    let refusal = pendingGrowth.withLock { pendingGrowth -> Limit? in
      let all = stored + pendingGrowth + growth
      if growth.bytes > 0, let limit = limits.storeBytes, all.bytes > limit {
        return .storeBytes
      }
      if growth.products > 0, let limit = limits.storeProducts, all.products > limit {
        return .storeProducts
      }
      pendingGrowth = pendingGrowth + growth
      return nil
    }
    guard let refusal else { return growth }
    meters[refusal]?.add()
    throw .marketFull
  }

  func end(_ growth: Growth) {
    pendingGrowth.withLock {
      $0 = $0 + Growth(bytes: -growth.bytes, products: -growth.products)
    }
  }

  /// Runs a search when its network has a free slot.
  ///
  /// `isSearch` counts it against the searches of a minute.
  /// - Throws: `.tooManyRequests` if the network searches too often or no slot was free in time,
  ///   `.cancelled`.
  func searching<Answer>(
    from network: ClientNetwork, isSearch: Bool = true, _ body: () async -> Answer
  ) async throws(RepositoryError) -> Answer {
    if let perMinute = limits.searchesPerMinute, isSearch {
      try await use(1, of: Int64(perMinute), each: Self.minuteNanoseconds, .searches, network)
    }
    guard let searches else { return await body() }
    if let answer = await searches.use(of: network, body) { return answer }
    guard !Task.isCancelled else { throw .cancelled }
    meters[.searchesAtOnce]?.add()
    throw .tooManyRequests(retryAfterSeconds: 1)
  }

  /// Size of the store, as far as a limit needs it; 0 if the store fails, since the write will report
  /// that.
  private func stored(for growth: Growth) async -> Growth {
    var stored = Growth()
    if limits.storeBytes != nil, growth.bytes > 0 {
      stored.bytes = (try? await market.storedBytes()) ?? 0
    }
    if limits.storeProducts != nil, growth.products > 0 {
      stored.products = (try? await market.exactTotal(of: ProductQuery())) ?? 0
    }
    return stored
  }

  /// Uses up part of a rate limit.
  /// - Throws: `.tooManyRequests` with the seconds until it is free.
  private func use(
    _ amount: Int64, of limit: Int64, each period: Int64, _ kind: RateLimitUsage.Limit,
    _ network: ClientNetwork
  ) async throws(RepositoryError) {
    let seconds = await limiter.use(amount, of: limit, each: period, kind, by: network)
    guard let seconds else { return }
    meters[.shared(kind)]?.add()
    throw .tooManyRequests(retryAfterSeconds: seconds)
  }
}

extension MarketOperation {
  /// Bytes that a product takes in a store in addition to its texts and pictures.
  private static let productBytes: Int64 = 4 << 10
  /// Bytes that a question takes in addition to its text.
  private static let questionBytes: Int64 = 256

  /// Approximate growth of the store.
  fileprivate var growth: AdmissionControl.Growth {
    switch self {
    case .register(let registration, _, _):
      AdmissionControl.Growth(
        bytes: Self.productBytes
          + Self.bytes([registration.name, registration.description], registration.pictures),
        products: 1)
    case .update(let update):
      AdmissionControl.Growth(
        bytes: Self.bytes(
          [update.patch.name, update.patch.description].compactMap(\.self),
          update.patch.pictures?.newFiles ?? []))
    case .question(.ask(let question, _, _, _)):
      AdmissionControl.Growth(bytes: Self.questionBytes + Int64(question.text.utf8.count))
    case .question(.answer(_, let answer, _, _)):
      AdmissionControl.Growth(bytes: Int64(answer.text.utf8.count))
    case .report(let report, _):
      AdmissionControl.Growth(bytes: Self.questionBytes + Int64(report.text.utf8.count))
    case .changeSeller, .verify, .delete, .requestDeletion, .confirmDeletion, .question:
      AdmissionControl.Growth()
    case .health, .page, .detail, .seller, .picture: AdmissionControl.Growth()
    }
  }

  private static func bytes(_ texts: [String], _ files: [[UInt8]]) -> Int64 {
    Int64(texts.reduce(0) { $0 + $1.utf8.count } + files.reduce(0) { $0 + $1.count })
  }
}
