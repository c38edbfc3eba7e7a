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
      wait.take(WaitObservation(wait.id, products)).map(\.id.rawValue)
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

  @Test func `of a market with another id nothing is known, of one that says none all is`() throws {
    var wait = wait(Self.limit)
    func told(_ products: [Product], as id: String?) -> [Int64] {
      var page = WaitObservation(wait.id, products)
      page.marketID = id.flatMap { MarketID(String(repeating: $0, count: 32)) }
      return wait.take(page).map(\.id.rawValue)
    }

    #expect(told([], as: "a") == [])
    #expect(told([.sample(id: 1, price: 9_000)], as: nil) == [1])
    #expect(told([.sample(id: 1, price: 9_000), .sample(id: 2, price: 9_000)], as: "b") == [])
    #expect(told([.sample(id: 3, price: 9_000), .sample(id: 2, price: 9_000)], as: "b") == [3])
  }

  @Test
  func `a product of another market at the same address is not the one that was meant`() {
    var wait = Wait(
      market: .local, subject: .product(Product.ID(rawValue: 1)), name: "cup",
      condition: Self.limit)
    var page = WaitObservation(wait.id, [.sample(id: 1, price: 20_000)])
    page.marketID = MarketID(String(repeating: "a", count: 32))
    #expect(wait.take(page) == [])

    page.products = [.sample(id: 1, price: 9_000)]
    page.marketID = MarketID(String(repeating: "b", count: 32))

    #expect(wait.take(page) == [])
  }

  @Test func `a page counts for the round only where it begins where the round is`() {
    var wait = wait(.anythingNew)
    let place = Wait.Place(top: Product.ID(rawValue: 9), next: .number(2))
    var first = WaitObservation(wait.id, [.sample(id: 9)])
    (first.isLast, first.after) = (false, place)
    _ = wait.take(first)

    // Another program read it from its beginning.
    _ = wait.take(WaitObservation(wait.id, [.sample(id: 9)]))
    #expect(!wait.state.knowsAll && wait.state.place == place)

    var last = WaitObservation(wait.id, [.sample(id: 4)])
    (last.isTop, last.before) = (false, place)
    #expect(wait.take(last) == [])
    #expect(wait.state.knowsAll && wait.state.place == nil)
  }
}
