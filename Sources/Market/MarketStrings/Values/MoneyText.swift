package import MarketModel
package import SafeTextKit

/// Amounts of money as people write them: ₩1,690,000, $12.50, 300 JPY.
package enum MoneyText {
  private static let codeColumns = 6
  /// Kept, because no plain text takes as long to be made safe.
  private static let won: SafeText = "₩"

  /// The amount with its currency's sign, and as many decimals as the currency usually has, more only
  /// where they are there.
  package static func text(_ money: Money) -> SafeText {
    let number = SafeText(amount(money))
    return switch money.currency {
    case .krw: won + number
    case .usd: "$" + number
    default: number + " " + code(money.currency)
    }
  }

  /// A currency's code, cut short where a server sends something longer than codes are: the name of
  /// the product needs its room.
  package static func code(_ currency: Currency) -> SafeText {
    SafeText(currency.rawValue).truncated(toColumns: codeColumns)
  }

  /// The digits alone, with separators: 1,690,000 or 12.50.
  package static func amount(_ money: Money) -> String {
    // Whole dollars are written without cents, as prices on labels are.
    let alwaysHasDecimals = money.currency.usualDecimals > 0 && money.currency != .usd
    return String(
      hundredths: money.hundredths, decimals: alwaysHasDecimals ? .two : .twoOrNone,
      isGrouped: true)
  }
}
