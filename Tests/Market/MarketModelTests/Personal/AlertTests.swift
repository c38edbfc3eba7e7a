import Expectations
import MarketModel
import TestSupport
import Testing

/// What is told of the products of a seller or a search, one look after the other.
struct AlertTests {
  private static let limit = Alert.Condition.below(Money(hundredths: 10_000_00, currency: .krw))

  private func wait(_ condition: Alert.Condition) -> Alert {
    Alert(market: .local, subject: .search("cup"), name: "cups", condition: condition)
  }

  /// The numbers of what is told at each of these looks.
  private func told(_ condition: Alert.Condition, _ looks: [Product]...) -> [[Int64]] {
    var alert = wait(condition)
    return looks.map { products in
      alert.apply(AlertObservation(alert.id, products)).map(\.id.rawValue)
    }
  }

  @Test func `the first look tells nothing, the next what costs less by then`() {
    let told = told(
      Self.limit, [.sample(id: 1, price: 9_000), .sample(id: 2, price: 12_000)],
      [.sample(id: 1, price: 9_000), .sample(id: 2, price: 9_999)])

    expect(told, [[], [2]])
  }

  @Test func `a product that came since then is told where it costs less at once`() {
    let told = told(
      Self.limit, [],
      [.sample(id: 3, price: 9_000), .sample(id: 4, price: 8_000), .sample(id: 5, price: 10_000)])

    expect(told, [[], [4, 3]])
  }

  @Test func `a low price is told once, and again only after it rose`() {
    let (low, high) = (Product.sample(id: 1, price: 9_000), Product.sample(id: 1, price: 11_000))

    expect(
      told(Self.limit, [], [low], [low], [], [low], [high], [low]), [[], [1], [], [], [], [], [1]])
  }

  @Test func `a price in another currency is no low one`() {
    expect(told(Self.limit, [], [.sample(id: 1, price: 5, currency: .usd)]), [[], []])
  }

  @Test func `what was new once is not new again when it is away for a look`() {
    let (old, new) = (Product.sample(id: 5), Product.sample(id: 7))

    expect(told(.anythingNew, [old], [new, old], [old], [new, old]), [[], [7], [], []])
  }

  @Test func `what is back in stock was sold out before, and is not merely new`() {
    let (gone, there) = (Product.sample(id: 1, stock: 0), Product.sample(id: 1, stock: 2))

    expect(
      told(.backInStock, [gone], [there, .sample(id: 2, stock: 1)], [there], [gone], [there]),
      [[], [1], [], [], [1]])
  }

  @Test func `what is sold costs nothing, however low its price is`() {
    let sold = Product.sample(id: 1, price: 9_000, stock: 0)

    expect(told(Self.limit, [], [sold], [.sample(id: 1, price: 9_000)]), [[], [], [1]])
  }

  @Test func `what can be had again was sold or reserved before`() {
    let free = Product.sample(id: 1)
    var reserved = free
    reserved.isReserved = true

    expect(
      told(.backInStock, [free], [reserved], [free], [free], [reserved], [free]),
      [[], [], [1], [], [], [1]])
  }

  @Test
  func `one product that is reserved fires when the reservation ends, and its low price says it`() {
    var reserved = Product.sample(id: 1, price: 9_000)
    reserved.isReserved = true
    var alert = wait(.backInStock)
    alert.subject = .product(reserved.id)
    alert.state = Alert.beginning(.backInStock, with: reserved)

    expect(alert.apply(AlertObservation(alert.id, [reserved])), [])
    expect(alert.apply(AlertObservation(alert.id, [.sample(id: 1)])).map(\.id), [reserved.id])
    expect(TriggeredAlert(of: wait(Self.limit), [reserved])?.isReserved, true)
  }

  @Test func `of a market with another id nothing is known, of one that says none all is`() throws {
    var alert = wait(Self.limit)
    func told(_ products: [Product], as id: String?) -> [Int64] {
      var page = AlertObservation(alert.id, products)
      page.marketID = id.flatMap { MarketID(String(repeating: $0, count: 32)) }
      return alert.apply(page).map(\.id.rawValue)
    }

    expect(told([], as: "a"), [])
    expect(told([.sample(id: 1, price: 9_000)], as: nil), [1])
    expect(told([.sample(id: 1, price: 9_000), .sample(id: 2, price: 9_000)], as: "b"), [])
    expect(told([.sample(id: 3, price: 9_000), .sample(id: 2, price: 9_000)], as: "b"), [3])
  }

  @Test
  func `a product of another market at the same address is not the one that was meant`() {
    var alert = Alert(
      market: .local, subject: .product(Product.ID(rawValue: 1)), name: "cup",
      condition: Self.limit)
    var page = AlertObservation(alert.id, [.sample(id: 1, price: 20_000)])
    page.marketID = MarketID(String(repeating: "a", count: 32))
    expect(alert.apply(page), [])

    page.products = [.sample(id: 1, price: 9_000)]
    page.marketID = MarketID(String(repeating: "b", count: 32))

    expect(alert.apply(page), [])
  }

  @Test func `a page counts for the round only where it begins where the round is`() {
    var alert = wait(.anythingNew)
    let location = Alert.Position(top: Product.ID(rawValue: 9), next: .number(2))
    var first = AlertObservation(alert.id, [.sample(id: 9)])
    (first.isLast, first.after) = (false, location)
    _ = alert.apply(first)

    // Another program read it from its beginning.
    _ = alert.apply(AlertObservation(alert.id, [.sample(id: 9)]))
    #expect(!alert.state.knowsAll && alert.state.position == location)

    var last = AlertObservation(alert.id, [.sample(id: 4)])
    (last.isTop, last.before) = (false, location)
    expect(alert.apply(last), [])
    #expect(alert.state.knowsAll && alert.state.position == nil)
  }
}
