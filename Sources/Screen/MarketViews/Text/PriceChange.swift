internal import MarketModel
import MarketStrings
internal import SafeTextKit
internal import TerminalKit

/// Change of a price since the user last saw it, as shown in rows, cards and details: `was ₩240,000`.
struct PriceChange {
  /// Former price to pay.
  let former: Money
  let isFall: Bool

  /// Returns nil where the price is equal, unreadable, or in another currency.
  init?(from former: Money?, to pricing: Pricing) {
    guard let former, let price = pricing.price?.toPay, former.currency == price.currency,
      former.hundredths != price.hundredths
    else { return nil }
    self.former = former
    isFall = price.hundredths < former.hundredths
  }

  var arrow: SafeText { isFall ? "↓" : "↑" }

  /// Returns the former price.
  func text(_ strings: Strings) -> SafeText { strings(.formerPrice, MoneyText.text(former)) }

  /// Returns the change as words, for screens without marks and columns.
  func words(_ strings: Strings) -> SafeText {
    strings(isFall ? .rowCheaper : .rowDearer, MoneyText.text(former))
  }

  func style(_ theme: Theme) -> Style { isFall ? theme.accent : theme.secondary }
}
