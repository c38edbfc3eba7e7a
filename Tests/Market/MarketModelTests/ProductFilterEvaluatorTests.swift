import Expectations
import MarketModel
import TestSupport
import Testing

struct ProductFilterEvaluatorTests {
  private static let hana = Seller(id: Seller.ID(rawValue: 7), name: "Hana")

  private func keeps(_ query: ProductQuery, _ product: Product) -> Bool {
    ProductFilterEvaluator(query, parts: query.parts).keeps(product)
  }

  private let mug = Product.sample(
    id: 3, seller: hana, name: "Blue Coffee Mug", price: 12_000, discount: 2_000, stock: 0,
    created: 1_700_000_000)

  @Test(arguments: [
    (ProductQuery(text: "mug blue"), true), (ProductQuery(text: "mug red"), false),
    (ProductQuery(text: "hana MUG"), true), (ProductQuery(text: "  "), true),
    (ProductQuery(text: "\u{1}"), false),
    (ProductQuery(phrases: ["Coffee mug"]), true), (ProductQuery(phrases: ["blue mug"]), false),
    (ProductQuery(phrases: ["coffee", "hana"]), true), (ProductQuery(without: ["red"]), true),
    (ProductQuery(without: ["red", "ana"]), false),
    (ProductQuery(price: PriceRange(minimum: 1_000_000, maximum: 1_000_000)), true),
    (ProductQuery(price: PriceRange(minimum: 1_000_001)), false),
    (ProductQuery(price: PriceRange(maximum: 999_999)), false),
    (ProductQuery(currency: .krw), true), (ProductQuery(currency: .usd), false),
    (ProductQuery(filters: [.inStock]), false), (ProductQuery(filters: [.reduced]), true),
    (ProductQuery(sellers: [Seller.ID(rawValue: 1), Seller.ID(rawValue: 7)]), true),
    (ProductQuery(sellers: [Seller.ID(rawValue: 1)]), false),
    (ProductQuery(since: Timestamp(seconds: 1_700_000_000)), true),
    (ProductQuery(since: Timestamp(seconds: 1_700_000_001)), false),
    (ProductQuery(ids: [Product.ID(rawValue: 3)]), true), (ProductQuery(ids: []), false),
    (ProductQuery(text: "mug", currency: .usd), false), (ProductQuery(), true),
  ])
  func `a row stays where all parts hold`(query: ProductQuery, stays: Bool) {
    expect(keeps(query, mug), stays)
  }

  @Test(arguments: [
    (ProductQuery(text: "muller"), true), (ProductQuery(text: "ＭÜLLER’s"), true),
    (ProductQuery(text: "자전거도로 ㄱㄷ"), true), (ProductQuery(text: "자 전거도"), true),
    (ProductQuery(phrases: ["muller's 자전 거도로"]), true), (ProductQuery(without: ["거도"]), false),
    (ProductQuery(text: "로하나"), false),
  ])
  func `words are compared as in the stores`(query: ProductQuery, stays: Bool) {
    let seller = Seller(id: Seller.ID(rawValue: 7), name: "하나")

    expect(keeps(query, .sample(id: 3, seller: seller, name: "Müller's 자전거 도로")), stays)
  }

  @Test func `only the parts that the market does not answer are looked at`() {
    let query = ProductQuery(text: "what only the description says", currency: .krw)

    #expect(ProductFilterEvaluator(query, parts: [.currency]).keeps(mug))
    #expect(!ProductFilterEvaluator(query, parts: [.words, .currency]).keeps(mug))
  }

  @Test(arguments: [(0, true), (86_399, true), (86_400, false), (-1, true)] as [(Int64, Bool)])
  func `of a date without a time all of the day counts`(seconds: Int64, stays: Bool) {
    var product = mug
    product.created = Timestamp(seconds: 1_699_920_000, precision: .day)

    expect(keeps(ProductQuery(since: Timestamp(seconds: 1_699_920_000 + seconds)), product), stays)
  }

  @Test func `a price that nobody can read has no bounds and no currency`() {
    var product = mug
    product.pricing = .unreadable

    for query in [
      ProductQuery(price: PriceRange(minimum: 0)), ProductQuery(currency: .krw),
      ProductQuery(filters: [.reduced]),
    ] {
      #expect(!keeps(query, product))
    }
  }
}
