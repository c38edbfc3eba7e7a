import MarketAPI
import MarketModel

/// Timers of uncached operations of the market, by kind.
struct QueryMetrics: Sendable {
  /// Kind of an operation, as the label of a metric.
  enum Kind: String, CaseIterable {
    case firstPage = "first_page"
    case numberedPage = "numbered_page"
    case nextPage = "next_page"
    case narrowedPage = "narrowed_page"
    case search
    case named = "named_products"
    case detail
    case registration
    case question
    case edit
    case deletion
    case password
    case seller
    case picture
    case health
  }

  private let meters: [Kind: TimerMetric]

  init(_ registry: MetricsRegistry) {
    meters = Dictionary(
      uniqueKeysWithValues: Kind.allCases.map { ($0, registry.timer(.queryTime, $0.rawValue)) })
  }

  func record(_ operation: MarketOperation, since start: ContinuousClock.Instant) {
    meters[operation.kind]?.note(since: start)
  }
}

extension MarketOperation {
  var kind: QueryMetrics.Kind {
    switch self {
    case .health: .health
    case .page(let request): request.kind
    case .detail: .detail
    case .register: .registration
    case .verify, .requestDeletion: .password
    case .update: .edit
    case .delete, .confirmDeletion: .deletion
    case .seller, .changeSeller: .seller
    case .question, .report: .question
    case .picture: .picture
    }
  }
}

extension PageRequest {
  fileprivate var kind: QueryMetrics.Kind {
    if query.ids != nil { return .named }
    if query.isSearch { return .search }
    if query.isNarrowed { return .narrowedPage }
    return switch position {
    case .first, .number(1): .firstPage
    case .after: .nextPage
    case .number: .numberedPage
    }
  }
}
