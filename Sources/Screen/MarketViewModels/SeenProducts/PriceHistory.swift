package import MarketModel

/// The prices at which a product was seen, in one currency, the oldest first.
package struct PriceHistory: Hashable, Sendable {
  package let id: Product.ID
  package let points: [PricePoint]

  /// Takes what was noted; what came before a change of the currency says nothing of the present price.
  package init(id: Product.ID, points: [PricePoint]) {
    self.id = id
    let currency = points.last?.price.currency
    let since = points.lastIndex { $0.price.currency != currency }.map { $0 + 1 } ?? 0
    self.points = Array(points[since...])
  }

  /// How the price changed last, negative where it fell; nil where it never did.
  package var change: (amount: Money, at: Timestamp)? {
    guard let last = points.last, points.count > 1 else { return nil }
    let before = points[points.count - 2].price
    let (difference, overflow) =
      last.price.hundredths.subtractingReportingOverflow(before.hundredths)
    guard !overflow else { return nil }
    return (Money(hundredths: difference, currency: last.price.currency), last.at)
  }

  /// The height of the price at so many moments from the first one to now, evenly spread, 0 to 1.
  package func heights(count: Int, now: Timestamp) -> [Double] {
    guard let first = points.first, let last = points.last, count > 1 else { return [] }
    let amounts = points.map { Double($0.price.hundredths) }
    let (low, high) = (amounts.min() ?? 0, amounts.max() ?? 0)
    let (start, end) = (Double(first.at.seconds), Double(max(now.seconds, last.at.seconds)))
    return (0..<count).map { step in
      let moment = start + (end - start) * Double(step) / Double(count - 1)
      let index = points.lastIndex { Double($0.at.seconds) <= moment } ?? 0
      // What stands now stands at the end, however short that is.
      let amount = step == count - 1 ? amounts[amounts.count - 1] : amounts[index]
      return high > low ? (amount - low) / (high - low) : 0
    }
  }
}
