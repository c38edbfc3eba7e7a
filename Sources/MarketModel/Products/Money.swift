/// An amount of one currency, in whole hundredths of its main unit.
///
/// Hundredths keep ₩1,690,000, $12.50 and even a foreign server's ₩2.36 exact.
package struct Money: Hashable, Sendable {
  package var hundredths: Int64
  package var currency: Currency

  package init(hundredths: Int64, currency: Currency) {
    self.hundredths = hundredths
    self.currency = currency
  }

  /// An amount in whole main units; nil where it does not fit.
  package init?(units: Int64, currency: Currency) {
    let (product, overflow) = units.multipliedReportingOverflow(by: 100)
    guard !overflow else { return nil }
    self.init(hundredths: product, currency: currency)
  }

  /// The whole main units that are shown where no fraction can be: rounded up.
  package var unitsRoundedUp: Int64 {
    let (units, rest) = hundredths.quotientAndRemainder(dividingBy: 100)
    return rest > 0 ? units + 1 : units
  }

  /// The same in hundredths, as far as that fits.
  package var hundredthsRoundedUp: Int64 {
    let (product, overflow) = unitsRoundedUp.multipliedReportingOverflow(by: 100)
    return overflow ? hundredths : product
  }
}
