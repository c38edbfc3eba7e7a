internal import MarketModel

/// Percentage as people type it: `20%`, `2.5 %`.
nonisolated struct Percent: Hashable, Sendable {
  /// In hundredths of a percent.
  let hundredths: Int64

  private static let whole: Int64 = 10_000
  /// Below a thousand percent nothing that is read as groups can have been meant as decimals.
  private static let end: Int64 = 100_000

  /// Nil where the text does not end in the sign; throws where what stands before it is no number.
  init?(reading text: String) throws(AmountError) {
    var rest = text.trimmed
    guard let sign = rest.popLast(), "%％".contains(sign) else { return nil }
    let amount = try Amount(reading: rest)
    guard amount.currency == nil, amount.hundredths < Self.end else { throw .noAmount }
    hundredths = amount.hundredths
  }

  /// So much of an amount, in hundredths, in whole units of its currency: rounded up, so that a
  /// discount is shown as the percentage that was typed, which is rounded down.
  func part(of money: Money) -> Int64 {
    let unit: Int64 = money.currency.usualDecimals > 0 ? 1 : 100
    // Ten times the amount at most, which is some digits away from the largest price.
    let product = money.hundredths.multipliedFullWidth(by: hundredths)
    let (units, rest) = (Self.whole * unit).dividingFullWidth(product)
    return (units + (rest > 0 ? 1 : 0)) * unit
  }
}
