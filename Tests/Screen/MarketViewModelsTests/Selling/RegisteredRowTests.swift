import Expectations
import MarketModel
import SellingTestSupport
import TestSupport
import Testing

@testable import MarketViewModels

struct RegisteredRowTests {
  private let repository = GatedProductRepository()
  private let product = Product.sample(id: 9, name: "Mug", price: 500)

  /// A navigator over the products 6, 5 and 4 of a query, the last of which is selected.
  private func navigator(
    _ query: ProductQuery, _ arrangement: BrowserModel.Arrangement = .list
  ) async throws -> Navigator {
    let clock = ManualClock()
    let browser = BrowserModel(
      repository: repository, arrangement: arrangement, pageSize: 4, clock: clock)
    let navigator = Navigator(
      browser: browser, gallery: PictureGallery(loader: NoPictures()), marketName: nil,
      clock: clock, now: { Timestamp(seconds: 0) })
    browser.start()
    try await repository.pages.next().answer(.sample([6, 5, 4]))
    await until { browser.feed.phase == .ended && browser.capabilities != nil }
    if query != ProductQuery() {
      browser.show(query)
      try await repository.pages.next().answer(.sample([6, 5, 4]))
      await until { !browser.feed.isStale }
    }
    browser.list.select(2)
    return navigator
  }

  /// Registers the product; the list is then read again with these products.
  private func register(
    in navigator: Navigator, thenListing ids: [Int64], meanwhile: () -> Void = {}
  ) async throws {
    let detail = ProductDetail.sample(of: product)
    navigator.announce(.registered(ListedProduct(product), .shown))
    navigator.didFinish(.registered(detail))
    navigator.didRegister(detail)
    meanwhile()
    try await repository.pages.next().answer(.sample(ids))
    await until { !navigator.browser.feed.isRefreshing }
  }

  @Test(arguments: [BrowserModel.Arrangement.list, .grid], ProductOrder.allCases)
  func `the frame stands on a new product wherever the order has it`(
    arrangement: BrowserModel.Arrangement, order: ProductOrder
  ) async throws {
    let navigator = try await navigator(ProductQuery(order: order), arrangement)

    try await register(
      in: navigator, thenListing: order == .newest ? [9, 6, 5, 4] : [6, 9, 5, 4])

    expect(navigator.browser.selected?.id, product.id)
    expect(navigator.notice, .registered(ListedProduct(product), .shown))
  }

  @Test(arguments: [
    ProductQuery(filters: [.reduced]), ProductQuery(text: "lamp"),
    ProductQuery(order: .cheapest, sellers: [Seller.ID(rawValue: 3)]),
  ])
  func `where a search or filter hides it that is said, and the frame stays`(
    query: ProductQuery
  ) async throws {
    let navigator = try await navigator(query)

    try await register(in: navigator, thenListing: [6, 5, 4])

    expect(navigator.browser.selected?.id.rawValue, 4)
    expect(navigator.notice, .registered(ListedProduct(product), .hidden))
    expect(navigator.notice?.commands.first, "open")
    expect(navigator.registeredJustNow?.id, product.id)
  }

  @Test(arguments: [
    ProductQuery(order: .cheapest),
    ProductQuery(text: "good", order: .priceDescending, filters: [.inStock]),
  ])
  func `where it stands behind what was read that is said`(query: ProductQuery) async throws {
    let navigator = try await navigator(query)

    try await register(in: navigator, thenListing: [6, 5, 4])

    expect(navigator.browser.selected?.id.rawValue, 4)
    expect(navigator.notice, .registered(ListedProduct(product), .furtherDown))
  }

  @Test func `the new product is shown, and Esc leads to the list, on its row`() async throws {
    let navigator = try await navigator(ProductQuery(order: .cheapest))

    try await register(in: navigator, thenListing: [6, 9, 5, 4]) {
      expect(navigator.browser.detail.product?.id, product.id)
      #expect(navigator.showsRegisteredJustNow && navigator.browser.detail.isComplete)
      navigator.didPressKey()
      navigator.stack.close(navigator.browser.detail)
    }

    expect(navigator.browser.selected?.id.rawValue, 9)
    expect(repository.details.callCount, 0)
  }

  @Test func `a key on the list ends the way to it`() async throws {
    let navigator = try await navigator(ProductQuery(order: .cheapest))

    try await register(in: navigator, thenListing: [6, 9, 5, 4]) {
      navigator.stack.close(navigator.browser.detail)
      navigator.didPressKey()
    }

    expect(navigator.browser.selected?.id.rawValue, 4)
    expect(navigator.notice, nil)
  }
}
