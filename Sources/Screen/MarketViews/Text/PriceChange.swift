internal import MarketModel
import MarketStrings
internal import SafeTextKit
internal import TerminalKit

/// Price that fell or rose since a person last saw it, as rows, cards and details say it: `was ₩240,000`.
struct PriceChange {
  /// The price to pay before.
  let former: Money
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

  /// The former price, beside the present one.
  func text(_ strings: Strings) -> SafeText { strings(.formerPrice, MoneyText.text(former)) }

  /// The same where neither marks nor columns are seen.
  func words(_ strings: Strings) -> SafeText {
    strings(isFall ? .rowCheaper : .rowDearer, MoneyText.text(former))
  }

  func style(_ theme: Theme) -> Style { isFall ? theme.accent : theme.secondary }
}
