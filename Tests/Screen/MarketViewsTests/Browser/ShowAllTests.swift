import Expectations
import MarketModel
import MarketStrings
import MarketViewModels
import MarketViews
import SellingTestSupport
import TerminalKit
import TestSupport
import Testing

/// The key that shows all products, from lists with each kind of filter.
struct ShowAllTests {
  /// A query that has all of these parts.
  private func query(_ parts: [QueryPart]) -> ProductQuery {
    var query = ProductQuery(
      text: "mug", phrases: ["a b"], without: ["red"], price: PriceRange(maximum: 900_000),
      currency: .krw, order: .cheapest, filters: Set(ProductFilter.allCases),
      sellers: [Seller.ID(rawValue: 3)], since: Timestamp(seconds: 5),
      ids: [Product.ID(rawValue: 1)])
    query.place = "Seoul"
    for field in ProductField.choices where field != .currency {
      query.choices[field] = [FieldSample[field].text]
    }
    for part in QueryPart.allCases where !parts.contains(part) { query.remove(part) }
    return query
  }

  private nonisolated static let narrowings: [[QueryPart]] =
    QueryPart.allCases.map { [$0] }
    + QueryPart.allCases.flatMap { one in
      QueryPart.allCases.filter { $0 != one }.map { [one, $0] }
    } + [QueryPart.allCases]

  @Test(arguments: narrowings)
  func `show all leaves out everything that narrows the list, and keeps the order`(
    parts: [QueryPart]
  ) async throws {
    let stage = Stage()
    try await stage.show(Product.samples([2, 1]))
    stage.browser.show(query(parts))
    try await stage.repository.pages.next().answer(.sample([1]))
    await until { !stage.browser.feed.isStale }
    #expect(stage.lines(160, 24, .english)[23].contains("Esc Show all"))

    stage.press(.escape)

    expect(stage.browser.feed.query, ProductQuery(order: .cheapest))
  }

  @Test func `on a seller's page the key goes back, and says so`() async throws {
    let stage = Stage()
    try await stage.show(Product.samples([2, 1]))
    let filtered = ProductQuery(filters: [.reduced])
    stage.browser.show(filtered)
    try await stage.repository.pages.next().answer(.sample([2, 1]))
    await until { !stage.browser.feed.isStale }
    stage.press("s")
    let footer = stage.lines(160, 24, .english)[23]

    stage.press(.escape)

    #expect(footer.contains("Esc Back") && !footer.contains("Show all"))
    expect(stage.browser.feed.query, filtered)
  }
}
