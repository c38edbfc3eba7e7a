import MarketModel
import TestSupport
import Testing

/// What is told of the products of a seller or a search, one look after the other.
@Suite struct WaitTests {
  private static let limit = Wait.Condition.below(Money(hundredths: 10_000_00, currency: .krw))

  private func wait(_ condition: Wait.Condition) -> Wait {
    Wait(market: .local, subject: .search("cup"), name: "cups", condition: condition)
  }

  /// The numbers of what is told at each of these looks.
  private func told(_ condition: Wait.Condition, _ looks: [Product]...) -> [[Int64]] {
    var wait = wait(condition)
    return looks.map { products in
      let (state, news) = wait.looking(at: products)
      wait.state = state
      return news.map(\.id.rawValue)
    }
  }

  @Test func `the first look tells nothing, the next what costs less by then`() {
    let told = told(
      Self.limit, [.sample(id: 1, price: 9_000), .sample(id: 2, price: 12_000)],
      [.sample(id: 1, price: 9_000), .sample(id: 2, price: 9_999)])

    #expect(told == [[], [2]])
  }

  @Test func `a product that came since then is told where it costs less at once`() {
    let told = told(
      Self.limit, [],
      [.sample(id: 3, price: 9_000), .sample(id: 4, price: 8_000), .sample(id: 5, price: 10_000)])

    #expect(told == [[], [4, 3]])
  }

  @Test func `a low price is told once, and again only after it rose`() {
    let (low, high) = (Product.sample(id: 1, price: 9_000), Product.sample(id: 1, price: 11_000))

    #expect(
      told(Self.limit, [], [low], [low], [], [low], [high], [low]) == [
        [], [1], [], [], [], [], [1],
      ])
  }

  @Test func `a price in another currency is no low one`() {
    #expect(told(Self.limit, [], [.sample(id: 1, price: 5, currency: .usd)]) == [[], []])
  }

  @Test func `what was new once is not new again when it is away for a look`() {
    let (old, new) = (Product.sample(id: 5), Product.sample(id: 7))

    #expect(told(.anythingNew, [old], [new, old], [old], [new, old]) == [[], [7], [], []])
  }

  @Test func `what is back in stock was sold out before, and is not merely new`() {
    let (gone, there) = (Product.sample(id: 1, stock: 0), Product.sample(id: 1, stock: 2))

    #expect(
      told(.backInStock, [gone], [there, .sample(id: 2, stock: 1)], [there], [gone], [there])
        == [[], [1], [], [], [1]])
  }

  @Test func `of many products those that are there are remembered, then the latest`() {
    var wait = wait(Self.limit)
    let old = Product.sample(id: 1, price: 9_000)
    wait.state = wait.looking(at: [old]).state

    for start in stride(from: Int64(2), to: 1_002, by: 50) {
      let page = (start..<start + 50).map { Product.sample(id: $0, price: 50_000) }
      wait.state = wait.looking(at: [old] + page).state
    }

    #expect(wait.state.products.count == Wait.State.mostProducts)
    #expect(wait.looking(at: [old]).news.isEmpty)
  }
}
