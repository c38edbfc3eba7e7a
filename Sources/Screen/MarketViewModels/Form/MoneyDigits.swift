package import MarketModel

/// Amounts of money as a number field holds them: digits and at most one decimal point.
package nonisolated enum MoneyDigits {
  /// With as many decimals as the currency usually has, more only where they are there.
  package static func text(_ money: Money) -> String {
    String(
      hundredths: money.hundredths, decimals: money.currency.usualDecimals > 0 ? .two : .twoOrNone)
  }

  /// Hundredths of what a field holds; nil where that is empty or too large.
  package static func hundredths(_ digits: String) -> Int64? {
    let parts = digits.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard let first = parts.first, !digits.isEmpty, digits != "." else { return nil }
    let cents = (parts.count > 1 ? String(parts[1]) : "").prefix(2)
    let padded = cents + String(repeating: "0", count: 2 - cents.count)
    return Int64(first + padded)
  }

  /// How many decimals a field offers for an amount that stands in it in this currency.
  package static func decimals(_ currency: Currency, showing digits: String) -> Int {
    digits.contains(".") ? 2 : currency.usualDecimals
  }
}
