import Expectations
import MarketModel
import Testing

struct PriceTests {
  @Test func `the price to pay is the price less the discount`() throws {
    let price = try #require(
      Price(full: Money(hundredths: 24_000_000, currency: .krw), discountHundredths: 6_000_000))

    expect(price.toPay, Money(hundredths: 18_000_000, currency: .krw))
    expect(price.discountPercent, 25)
  }

  @Test(arguments: [(-1, 0), (100, 101), (100, -1)] as [(Int64, Int64)])
  func `a price that breaks the rules is none`(full: Int64, discount: Int64) {
    let money = Money(hundredths: full, currency: .usd)

    expect(Price(full: money, discountHundredths: discount), nil)
  }

  @Test func `a discount of less than one percent is shown as one`() throws {
    let price = try #require(
      Price(full: Money(hundredths: 100_000, currency: .usd), discountHundredths: 1))

    expect(price.discountPercent, 1)
  }
}
