internal import MarketModel
import MarketStrings
internal import SafeTextKit
internal import TerminalKit

/// Change of a price since the user last saw it, as shown in rows, cards and details: `was ₩240,000`.
struct PriceChange {
  /// Previous price to pay.
  let previous: Money
  let isFall: Bool

  /// Returns nil where the price is equal, unreadable, or in another currency.
  init?(from previous: Money?, to pricing: Pricing) {
    guard let previous, let price = pricing.price?.toPay, previous.currency == price.currency,
      previous.hundredths != price.hundredths
    else { return nil }
    self.previous = previous
    isFall = price.hundredths < previous.hundredths
  }

  var arrow: SafeText { isFall ? "↓" : "↑" }

  /// Returns the previous price.
  func text(_ strings: Strings) -> SafeText { strings(.previousPrice, MoneyText.text(previous)) }

  /// Returns the change as words, for screens without marks and columns.
  func words(_ strings: Strings) -> SafeText {
    strings(isFall ? .rowCheaper : .rowDearer, MoneyText.text(previous))
  }

  func style(_ theme: Theme) -> Style { isFall ? theme.accent : theme.secondary }
}
