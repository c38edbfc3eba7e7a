import Expectations
import MarketModel
import SellingTestSupport
import TestSupport
import Testing

@testable import MarketViewModels

/// Products that are offered beside an open one of another seller.
struct SimilarProductsTests {
  private let repository = GatedProductRepository(answersCancelledCalls: false)
  private let clock = ManualClock()
  private var rests: Gate<Duration, Void> { clock.sleeps(of: OtherProducts.restDelay) }

  private static func product(
    _ id: Int64, of seller: Int64 = 6, price: Int64 = 40_000, place: String? = nil,
    stock: Int64 = 1, currency: Currency = .krw
  ) -> Product {
    var product = Product.sample(
      id: id, seller: Seller(id: Seller.ID(rawValue: seller), name: "s"), price: price,
      currency: currency, stock: stock)
    (product.category, product.place) = (.sports, place)
    return product
  }

  private let bicycle = product(1, of: 5, price: 40_000, place: "Seoul, Mapo")

  @Test func `they are of its category, for sale, at a price like its own`() throws {
    let query = try #require(SimilarProducts.query(to: bicycle, in: .full))

    var expected = ProductQuery(
      price: PriceRange(minimum: 1_000_000, maximum: 16_000_000), filters: [.available])
    expected.choices[.category] = ["sports"]
    expect(query, expected)
  }

  @Test func `a market that knows no categories is not asked, nor about a product without one`() {
    var market = RepositoryCapabilities.full
    market.parts.remove(.choice(.category))
    var unsorted = bicycle
    unsorted.category = nil

    expect(SimilarProducts.query(to: bicycle, in: market), nil)
    expect(SimilarProducts.query(to: unsorted, in: .full), nil)
  }

  @Test
  func `near ones come first, then those of the nearest price, and none that cannot be bought`() {
    let found = SimilarProducts.sorted(
      [
        Self.product(2, price: 41_000, place: "Busan"),
        Self.product(3, price: 90_000, place: "Seoul"),
        Self.product(4, price: 45_000, place: "Seoul, Jongno"), Self.product(5, price: 40_000),
        Self.product(6, place: "Seoul", stock: 0), Self.product(7, of: 5, place: "Seoul"),
        Self.product(8, place: "Seoul", currency: .usd), bicycle,
      ], like: bicycle)

    expect(found.map(\.id.rawValue), [4, 3, 5, 2])
  }

  @Test func `they are read after the seller's, and forgotten with them`() async throws {
    let others = OtherProducts(repository: repository, clock: clock)
    let query = ProductQuery(text: "similar")

    others.read(besides: bicycle, similar: query)
    try await rests.next().answer(())
    try await repository.pages.next().answer(
      ProductPage(products: [bicycle, Self.product(7, of: 5)], total: .exactly(2), next: nil))
    let call = try await repository.pages.next()
    expect(call.request.query, query)
    call.answer(ProductPage(products: [Self.product(4)], total: .exactly(1), next: nil))
    await until { !others.similar(to: bicycle.id).isEmpty }

    expect(others.similar(to: bicycle.id).map(\.id.rawValue), [4])
    expect(others.similar(to: Product.ID(rawValue: 2)), [])
    others.clear()
    expect(others.similar(to: bicycle.id), [])
  }

  @Test func `a product of a guest has similar ones too`() async throws {
    let others = OtherProducts(repository: repository, clock: clock)

    others.read(besides: bicycle, bySeller: false, similar: ProductQuery(text: "similar"))
    try await rests.next().answer(())

    try await expect(repository.pages.next().request.query.text, "similar")
  }
}
