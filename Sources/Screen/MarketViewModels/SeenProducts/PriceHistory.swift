package import MarketModel

/// Prices at which a product was seen, in one currency, oldest first.
package struct PriceHistory: Hashable, Sendable {
  package let id: Product.ID
  package let points: [PricePoint]

  /// Makes the history from stored points; those before the last change of currency are left out.
  package init(id: Product.ID, points: [PricePoint]) {
    self.id = id
    let currency = points.last?.price.currency
    let since = points.lastIndex { $0.price.currency != currency }.map { $0 + 1 } ?? 0
    self.points = Array(points[since...])
  }

  /// Last change of the price, negative for a reduction; nil if there is none.
  package var change: (amount: Money, at: Timestamp)? {
    guard let last = points.last, points.count > 1 else { return nil }
    let before = points[points.count - 2].price
    let (difference, overflow) =
      last.price.hundredths.subtractingReportingOverflow(before.hundredths)
    guard !overflow else { return nil }
    return (Money(hundredths: difference, currency: last.price.currency), last.at)
  }

  /// Prices at `count` moments, evenly spread from the first point to now, scaled to 0 to 1; empty
  /// without points or for a count below 2.
  package func heights(count: Int, now: Timestamp) -> [Double] {
    guard let first = points.first, let last = points.last, count > 1 else { return [] }
    let amounts = points.map { Double($0.price.hundredths) }
    let (low, high) = (amounts.min() ?? 0, amounts.max() ?? 0)
    let (start, end) = (Double(first.at.seconds), Double(max(now.seconds, last.at.seconds)))
    return (0..<count).map { step in
      let moment = start + (end - start) * Double(step) / Double(count - 1)
      let index = points.lastIndex { Double($0.at.seconds) <= moment } ?? 0
      // The current price is at the end, however short it has been valid.
      let amount = step == count - 1 ? amounts[amounts.count - 1] : amounts[index]
      return high > low ? (amount - low) / (high - low) : 0
    }
  }
}
