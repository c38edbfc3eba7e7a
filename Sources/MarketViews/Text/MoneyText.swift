package import MarketModel
import MarketStrings
package import SafeText

/// Amounts of money as people write them: ₩1,690,000, $12.50, 300 JPY.
package enum MoneyText {
  private static let codeColumns = 6

  /// The amount with its currency's sign, and as many decimals as the currency usually has, more only
  /// where they are there.
  package static func text(_ money: Money) -> SafeText {
    let number = amount(money)
    return switch money.currency {
    case .krw: SafeText("₩" + number)
    case .usd: SafeText("$" + number)
    default: SafeText(number + " ") + code(money.currency)
    }
  }

  /// A currency's code, cut short where a server sends something longer than codes are: the name of
  /// the product needs its room.
  package static func code(_ currency: Currency) -> SafeText {
    SafeText(currency.rawValue).truncated(toColumns: codeColumns)
  }

  /// The digits alone, with separators: 1,690,000 or 12.50.
  package static func amount(_ money: Money) -> String {
    let whole = NumberText.grouped(money.hundredths / 100)
    let cents = Int(money.hundredths.magnitude % 100)
    let isWholeDollar = cents == 0 && money.currency == .usd
    guard cents != 0 || (money.currency.usualDecimals > 0 && !isWholeDollar) else { return whole }
    let digits = cents < 10 ? "0\(cents)" : "\(cents)"
    let sign = money.hundredths < 0 && money.hundredths > -100 ? "-" : ""
    return sign + whole + "." + digits
  }
}
