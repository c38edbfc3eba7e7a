/// Usage of a rate limit by one address, shared between all servers of a market.
package struct RateLimitUsage: Hashable, Sendable {
  /// Limit on one address; the raw values are stored in databases.
  package enum Limit: Int64, CaseIterable, Sendable {
    case registrations = 1
    case bytes = 2
    case searches = 3
    /// Questions and answers.
    case questions = 4
    case reports = 5
  }

  package let limit: Limit
  package let address: String
  /// Nanoseconds until the used amount is available again.
  package let cost: Int64

  package init(of limit: Limit, by address: String, cost: Int64) {
    self.limit = limit
    self.address = address
    self.cost = cost
  }
}

extension ServedMarket {
  /// Returns nil: no other server shares this market.
  package func share(_ use: RateLimitUsage) async throws(RepositoryError) -> Int64? { nil }
}
