/// Typed percentage: `20%`, `2.5 %`.
package struct Percent: Hashable, Sendable {
  /// Hundredths of a percent.
  package let hundredths: Int64

  private static let whole: Int64 = 10_000
  /// Exclusive maximum, 1,000 %; below it a decimal point cannot be meant as grouping.
  private static let end: Int64 = 100_000

  /// Reads a typed percentage; nil if the text does not end in a percent sign.
  /// - Throws: `.noAmount` with a currency or at 1,000 % and more; otherwise what `Amount(reading:)`
  ///   throws.
  package init?(reading text: String) throws(AmountError) {
    var rest = Substring(text).trimmed
    guard let sign = rest.popLast(), "%％".contains(sign) else { return nil }
    let amount = try Amount(reading: String(rest))
    guard amount.currency == nil, amount.hundredths < Self.end else { throw .noAmount }
    hundredths = amount.hundredths
  }

  /// Percentage of an amount, in hundredths and in whole units of its currency: rounded up, so that
  /// the discount is shown as the typed percentage, which is rounded down.
  package func part(of money: Money) -> Int64 {
    let unit: Int64 = money.currency.usualDecimals > 0 ? 1 : 100
    // At most ten times the amount, some digits below the overflow for the largest price.
    let product = money.hundredths.multipliedFullWidth(by: hundredths)
    let (units, rest) = (Self.whole * unit).dividingFullWidth(product)
    return (units + (rest > 0 ? 1 : 0)) * unit
  }
}
