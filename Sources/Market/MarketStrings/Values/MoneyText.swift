package import MarketModel
package import SafeTextKit

/// Format of amounts of money: ₩1,690,000, $12.50, 300 JPY.
package enum MoneyText {
  private static let codeColumns = 6
  /// Stored, because sanitizing it takes longer than plain text.
  private static let won: SafeText = "₩"

  /// Returns the amount with its currency's sign or code and the currency's usual decimals; more only
  /// where they are not zero.
  package static func text(_ money: Money) -> SafeText {
    let number = SafeText(amount(money))
    return switch money.currency {
    case .krw: won + number
    case .usd: "$" + number
    default: number + " " + code(money.currency)
    }
  }

  /// Returns a change of an amount: ₩10,000 → ₩9,000.
  package static func change(from before: Money, to after: Money) -> SafeText {
    text(before) + " → " + text(after)
  }

  /// Returns a currency's code, truncated to `codeColumns` where a server sends a longer one, to
  /// leave room for the product's name.
  package static func code(_ currency: Currency) -> SafeText {
    SafeText(currency.rawValue).truncated(toColumns: codeColumns)
  }

  /// Returns the digits with separators: 1,690,000 or 12.50.
  package static func amount(_ money: Money) -> String {
    // Whole dollars have no cents, as on price labels.
    let alwaysHasDecimals = money.currency.usualDecimals > 0 && money.currency != .usd
    return String(
      hundredths: money.hundredths, decimals: alwaysHasDecimals ? .two : .twoOrNone,
      isGrouped: true)
  }
}
