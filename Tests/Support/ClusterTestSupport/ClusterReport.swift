import MarketModel

/// What those who used a city saw.
package struct ClusterReport: Sendable {
  /// What was asked: whether nginx may ask another server where one fails.
  package enum Kind: Hashable, Sendable { case reading, registering, changing }

  /// Kind of a request that no server answered, and the event before it.
  package struct Failure: Hashable, Sendable {
    package let event: String
    package let kind: Kind
  }

  /// The stock that was acknowledged last, by the product's name.
  package var acknowledged: [String: Int64] = [:]
  /// The newest product that was acknowledged.
  package var newest: Product.ID?
  package var answers = 0
  package var failures: [Failure: Int] = [:]
  /// The longest time from the first try of a request to its answer.
  package var maxWait = Duration.zero
  /// Answers that should not have come.
  package var mistakes: [String] = []
  package var duration = Duration.zero

  package var seconds: Double {
    Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
  }

  /// Number of requests that no server answered, without those that nginx must not repeat and those while
  /// the database was away.
  package var needlessFailures: Int {
    failures.filter { $0.key.event != "database" && $0.key.kind != .changing }.values.reduce(0, +)
  }

  /// What of the acknowledged writes is not there as it should be, each by its name.
  package func losses(among products: [Product]) -> [String] {
    var counts: [String: Int] = [:]
    var stocks: [String: Int64] = [:]
    for product in products {
      counts[product.name, default: 0] += 1
      stocks[product.name] = product.stock
    }
    let doubled = counts.filter { $0.value > 1 }.map { "\($0.key) is there \($0.value) times" }
    let lost = acknowledged.filter { stocks[$0.key] != $0.value }.map { name, stock in
      "\(name) has \(stocks[name].map(String.init) ?? "vanished"), not \(stock)"
    }
    return doubled + lost
  }
}
