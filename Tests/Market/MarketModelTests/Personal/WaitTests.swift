import MarketModel
import TestSupport
import Testing

/// When something that is waited for is told.
@Suite struct WaitTests {
  private let cup = Product.ID(rawValue: 3)

  private func wait(_ condition: Wait.Condition, state: Wait.State = Wait.State()) -> Wait {
    Wait(
      market: .local, subject: condition == .anythingNew ? .search("cup") : .product(cup),
      name: "Cup", condition: condition, state: state)
  }

  private func below(_ units: Int64) -> Wait.Condition {
    .below(Money(hundredths: units * 100, currency: .krw))
  }

  /// Looks once after the other, and tells at which looks something was told.
  private func told(_ first: Wait, _ looks: [[Product]]) -> [[Int64]] {
    var wait = first
    return looks.map { products in
      let (state, news) = wait.looking(at: products)
      wait.state = state
      return news.map(\.id.rawValue)
    }
  }

  @Test func `a price below is told once, and again only after it was above`() {
    let prices: [Int64] = [12_000, 9_000, 8_000, 10_000, 9_999]

    let told = told(wait(below(10_000)), prices.map { [.sample(id: 3, price: $0)] })

    #expect(told == [[], [3], [], [], [3]])
  }

  @Test func `what is to be paid counts, in the currency that was asked for`() {
    let looks: [[Product]] = [
      [.sample(id: 3, price: 12_000, discount: 3_000)],
      [.sample(id: 3, price: 5, currency: .usd)], [],
      [.sample(id: 4, price: 1)],
    ]

    #expect(told(wait(below(10_000)), looks) == [[3], [], [], []])
    #expect(told(wait(below(9_000)), looks) == [[], [], [], []])
  }

  @Test func `back in stock is told once until it was sold out again`() {
    let state = Wait.beginning(.backInStock, with: .sample(id: 3, stock: 2))
    let stocks: [Int64] = [2, 0, 1, 5, 0, 3]

    let told = told(wait(.backInStock, state: state), stocks.map { [.sample(id: 3, stock: $0)] })

    #expect(told == [[], [], [3], [], [], [3]])
  }

  @Test func `what is new has a higher number than all before; the first look tells nothing`() {
    let looks = [[5, 4], [5, 4], [7, 6, 5], [5], [], [8, 9]].map { Product.samples($0) }

    #expect(told(wait(.anythingNew), looks) == [[], [], [7, 6], [], [], [9, 8]])
  }

  @Test func `in an empty market the first product is new`() {
    #expect(told(wait(.anythingNew), [[], Product.samples([1])]) == [[], [1]])
  }
}
