internal import MarketModel
import MarketStrings
internal import SafeTextKit
internal import TerminalKit

/// Price that fell or rose since a person last saw it, as rows, cards and details say it: `↓ 240,000`.
struct PriceChange {
  /// The price to pay before.
  private let former: Money
  let isFall: Bool

  /// Nil where the price is the same, or nothing can be said of it.
  init?(from former: Money?, to pricing: Pricing) {
    guard let former, let price = pricing.price?.toPay, former.currency == price.currency,
      former.hundredths != price.hundredths
    else { return nil }
    self.former = former
    isFall = price.hundredths < former.hundredths
  }

  var arrow: SafeText { isFall ? "↓" : "↑" }

  /// The arrow with the former price, whose currency the price beside it says.
  var text: SafeText { arrow + " " + SafeText(MoneyText.amount(former)) }

  /// The same where marks are not seen.
  func words(_ strings: Strings) -> SafeText {
    strings(isFall ? .rowCheaper : .rowDearer, MoneyText.text(former))
  }

  func style(_ theme: Theme) -> Style { isFall ? theme.accent : theme.secondary }
}
