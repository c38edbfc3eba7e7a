import Expectations
import MarketModel
import MarketStrings
import SafeTextKit
import Testing

struct MoneyTextTests {
  @Test(arguments: [
    (169_000_000, Currency.krw, "₩1,690,000"),
    (236, .krw, "₩2.36"),
    (0, .krw, "₩0"),
    (1_250, .usd, "$12.50"),
    (64_000, .usd, "$640"),
    (5, .usd, "$0.05"),
    (100_000_000_05, .usd, "$100,000,000.05"),
    (30_000, Currency(rawValue: "JPY"), "300 JPY"),
    (1_999, Currency(rawValue: "EUR"), "19.99 EUR"),
  ])
  func `an amount reads as people write it`(hundredths: Int64, currency: Currency, text: String) {
    expect(MoneyText.text(Money(hundredths: hundredths, currency: currency)).string, text)
  }

  @Test(arguments: ["KRW", "USD", "JPY", "EUR", "CNY", "GBP", "VND"].map(Currency.init))
  func `what people read of an amount is read as that amount`(currency: Currency) throws {
    let unit: Int64 = currency.usualDecimals > 0 ? 1 : 100

    for count in [0, 5, 99, 100, 999, 1_000, 12_345, 1_000_000, 123_456_789] as [Int64] {
      let money = Money(hundredths: count * unit, currency: currency)
      let amount = try Amount(reading: MoneyText.text(money).string)
      expect(amount.currency, currency)
      try expect(amount.hundredths(in: currency), money.hundredths)
    }
  }

  @Test func `a currency that a server made up leaves room for the product's name`() {
    let price = Money(
      hundredths: 30_000, currency: Currency(rawValue: String(repeating: "가나다라마바", count: 10)))

    expect(MoneyText.text(price).string, "300.00 가나…")
  }
}
