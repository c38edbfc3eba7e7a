/// Use that an address has made of a limit, for all servers of a market to know.
package struct RateLimitUsage: Hashable, Sendable {
  /// Limit of what one address may do; the numbers stand in databases.
  package enum Limit: Int64, CaseIterable, Sendable {
    case registrations = 1
    case bytes = 2
    case searches = 3
    /// Questions and answers.
    case questions = 4
  }

  package let limit: Limit
  package let address: String
  /// Time that it takes until what was used is free again, in nanoseconds.
  package let cost: Int64

  package init(of limit: Limit, by address: String, cost: Int64) {
    self.limit = limit
    self.address = address
    self.cost = cost
  }
}

extension ServedMarket {
  /// Nil: nobody else serves this market.
  package func share(_ use: RateLimitUsage) async throws(RepositoryError) -> Int64? { nil }
}
