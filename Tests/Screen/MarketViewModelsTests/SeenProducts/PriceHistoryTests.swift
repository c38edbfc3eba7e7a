import Expectations
import MarketModel
import MarketViewModels
import Testing

struct PriceHistoryTests {
  private func history(_ prices: [(Int64, Int64)], _ currency: Currency = .krw) -> PriceHistory {
    PriceHistory(
      id: Product.ID(rawValue: 1),
      points: prices.map { seconds, amount in
        PricePoint(
          at: Timestamp(seconds: seconds), price: Money(hundredths: amount, currency: currency))
      })
  }

  @Test func `the last change is told with its time`() {
    let change = history([(0, 500), (10, 300), (20, 400)]).change

    expect(change?.amount.hundredths, 100)
    expect(change?.at.seconds, 20)
    #expect(history([(0, 500)]).change == nil)
    #expect(history([]).change == nil)
  }

  @Test func `heights follow time, the lowest price 0 and the highest 1`() {
    let heights = history([(0, 500), (50, 300), (90, 400)])
      .heights(count: 5, now: Timestamp(seconds: 100))

    expect(heights, [1, 1, 0, 0, 0.5])
  }

  @Test func `what came before a change of the currency is left out`() {
    let all =
      history([(0, 500), (1, 400)], .usd).points + history([(2, 9_000), (3, 8_000)]).points

    let history = PriceHistory(id: Product.ID(rawValue: 1), points: all)

    expect(history.points.map(\.price.hundredths), [9_000, 8_000])
  }
}
