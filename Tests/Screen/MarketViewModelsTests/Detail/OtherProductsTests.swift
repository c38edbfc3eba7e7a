import Expectations
import MarketModel
import SellingTestSupport
import TestSupport
import Testing

@testable import MarketViewModels

/// What else the seller of an open product has.
struct OtherProductsTests {
  private static let hana = Seller(id: Seller.ID(rawValue: 5), name: "Hana")

  private let repository = GatedProductRepository(answersCancelledCalls: false)
  private let clock = ManualClock()
  private var rests: Gate<Duration, Void> { clock.sleeps(of: OtherProducts.restDelay) }

  private func product(_ id: Int64, of seller: Seller = hana) -> Product {
    .sample(id: id, seller: seller)
  }

  private func page(_ ids: [Int64]) -> ProductPage {
    ProductPage(products: ids.map { product($0) }, total: .exactly(9), next: nil)
  }

  private func numbers(_ others: OtherProducts, besides id: Int64) -> [Int64]? {
    others.others(besides: Product.ID(rawValue: id))?.products.map(\.id.rawValue)
  }

  /// A detail that shows a product, read whole.
  private func detail(_ product: Product) async throws -> DetailModel {
    let detail = DetailModel(repository: repository, clock: clock)
    detail.show(ListedProduct(product))
    try await repository.details.next().answer(.sample(of: product))
    await until { detail.isComplete }
    return detail
  }

  @Test func `they are asked for once a product has rested, and come without it`() async throws {
    let others = OtherProducts(repository: repository, clock: clock)

    others.read(besides: product(3))
    others.read(besides: product(3))
    expect(repository.pages.callCount, 0)
    try await rests.next().answer(())
    let call = try await repository.pages.next()
    expect(call.request.query, ProductQuery(sellers: [Self.hana.id]))
    call.answer(page([4, 3, 2]))
    await until { numbers(others, besides: 3) != nil }

    expect(numbers(others, besides: 3), [4, 2])
    expect(numbers(others, besides: 4), nil)
    #expect(repository.pages.callCount == 1 && rests.callCount == 1)
  }

  @Test func `an answer for a product that was left changes nothing`() async throws {
    let others = OtherProducts(repository: repository, clock: clock)
    others.read(besides: product(3))
    try await rests.next().answer(())
    let left = try await repository.pages.next()

    others.read(besides: product(2))
    try await rests.next().answer(())
    let call = try await repository.pages.next()
    left.answer(page([9, 8]))
    call.answer(page([3, 2, 1]))
    await until { numbers(others, besides: 2) != nil }

    #expect(left.isCancelled)
    #expect(numbers(others, besides: 2) == [3, 1] && numbers(others, besides: 3) == nil)
  }

  @Test func `where the market fails, or has no others, there are none`() async throws {
    let others = OtherProducts(repository: repository, clock: clock)
    others.read(besides: product(3))
    try await rests.next().answer(())
    try await repository.pages.next().fail(.unreachable(.timedOut))
    others.read(besides: product(2))
    try await rests.next().answer(())
    try await repository.pages.next().answer(page([2]))
    others.read(besides: product(1))
    try await rests.next().answer(())
    try await repository.pages.next().answer(page([1, 4]))

    await until { numbers(others, besides: 1) != nil }

    #expect(numbers(others, besides: 3) == nil && numbers(others, besides: 2) == nil)
  }

  @Test func `only an open product of a seller is asked for, where the market lists sellers`()
    async throws
  {
    var without = RepositoryCapabilities.full
    without.parts.remove(.seller)

    try await detail(product(4)).didLayOutOpen(in: nil)
    try await detail(product(3)).didLayOutOpen(in: without)
    try await detail(product(2, of: .guest)).didLayOutOpen(in: .full)
    try await detail(product(1)).didLayOutOpen(in: .full)
    try await rests.next().answer(())

    try await expect(repository.pages.next().request.query.sellers, [Self.hana.id])
    expect(rests.callCount, 1)
  }

  @Test func `a detail that closes forgets them`() async throws {
    let detail = try await detail(product(3))
    detail.didLayOutOpen(in: .full)
    try await rests.next().answer(())
    try await repository.pages.next().answer(page([3, 2]))
    await until { numbers(detail.otherProducts, besides: 3) != nil }

    detail.didClose()

    expect(numbers(detail.otherProducts, besides: 3), nil)
  }
}
