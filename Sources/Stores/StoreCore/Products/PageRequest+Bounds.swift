import MarketModel

extension ProductTotal {
  /// Counts that take longer the more there is stop here while a person looks.
  package static let bound = 10_000

  /// A count that stopped one above the bound.
  package init(bounded count: Int) {
    self = count > Self.bound ? .atLeast(Self.bound) : .exactly(count)
  }
}

extension PageRequest {
  /// Whether marks may have to be set to find the page.
  package var walksAnOrder: Bool {
    guard case .number = position else { return false }
    return query.order != .newest
  }

  /// The size that is answered, whatever was asked for.
  package var boundedSize: Int {
    min(max(size, Self.sizes.lowerBound), Self.sizes.upperBound)
  }

  /// How many products are before a page that is asked for by number.
  package var offset: Int {
    guard case .number(let number) = position else { return 0 }
    let (offset, overflow) = max(0, number - 1).multipliedReportingOverflow(by: boundedSize)
    return overflow ? Int(Int32.max) : min(offset, Int(Int32.max))
  }
}
