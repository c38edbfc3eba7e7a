import Expectations
import MarketModel
import SellingTestSupport
import TestSupport
import Testing

@testable import MarketViewModels

/// The groups of a seller's own products: for sale, reserved and sold.
struct SaleGroupTests {
  private static let me = Seller(id: Seller.ID(rawValue: 9), name: "Hana")

  /// A product of the seller's, sold or reserved as its number says: of six, two of each.
  private static func product(_ id: Int64) -> Product {
    var product = Product.sample(id: id, seller: me, stock: id % 3 == 0 ? 0 : 3)
    product.isReserved = id % 3 == 1
    return product
  }

  private let products = (1...12).map { product($0) }

  /// The seller's own products in a market, read to the end of the first page.
  private func own(_ repository: any ProductRepository, pageSize: Int = 20) async -> Navigator {
    let clock = ManualClock()
    let accounts = FakeAccounts()
    var account = SellerAccount(identifier: SellerIdentifier(secret: "me"))
    account.seller = Self.me
    await accounts.save(account)
    let navigator = Navigator(
      browser: BrowserModel(
        repository: repository, arrangement: .list, pageSize: pageSize, clock: clock),
      gallery: PictureGallery(loader: NoPictures()), marketName: nil,
      selling: .sample(GatedProductRepository(), accounts: accounts, clock: clock), clock: clock,
      now: { Timestamp(seconds: 0) })
    await navigator.selling?.start()
    navigator.browser.start()
    await until { navigator.browser.capabilities != nil && !navigator.browser.feed.isStale }
    navigator.toggleMyProducts()
    await until { !navigator.browser.feed.isStale && navigator.showsMine }
    return navigator
  }

  private func market() -> InMemoryProductRepository {
    let other = Product.sample(id: 99)
    return InMemoryProductRepository((products + [other]).map { .sample(of: $0) })
  }

  private static let inGroups: [Int64] = [11, 8, 5, 2, 10, 7, 4, 1, 12, 9, 6, 3]

  private func ids(_ navigator: Navigator) -> [Int64] {
    navigator.browser.feed.head.map(\.id.rawValue)
  }

  @Test(arguments: [1, 2, 3, 4, 5, 12, 20])
  func `groups stand one after the other, whatever the size of a page`(size: Int) async {
    let browser = await own(market(), pageSize: size).browser
    browser.list.didLayOut(columns: 1, visibleRows: 30)

    await until { browser.feed.phase == .ended }

    expect(browser.feed.head.map(\.id.rawValue), Self.inGroups)
    expect(browser.feed.productTotal, .exactly(12))
    expect(browser.feed.groupStarts.map(\.group), [.forSale, .reserved, .sold])
    expect(browser.feed.groupStarts.map(\.index), [0, 4, 8])
  }

  @Test func `their number is known with the first page, and G leads to the last one`() async {
    let browser = await own(market(), pageSize: 3).browser
    browser.list.didLayOut(columns: 1, visibleRows: 2)
    expect(browser.feed.productTotal, .exactly(12))

    browser.list.move(.last)

    await until { browser.selected?.id == Product.ID(rawValue: 3) }
    expect(browser.feed.head.map(\.id.rawValue), Self.inGroups)
  }

  @Test func `what is narrowed by its stock, or in another order, is one list`() async {
    let capabilities = RepositoryCapabilities.full
    var query = ProductQuery(sellers: [Self.me.id])
    expect(GroupedProducts(query, in: capabilities)?.filters, [.available, .reserved, .sold])
    query.text = "cup"
    #expect(GroupedProducts(query, in: capabilities) != nil)
    query.filters = [.inStock]
    #expect(GroupedProducts(query, in: capabilities) == nil)
    #expect(GroupedProducts(ProductQuery(order: .cheapest), in: capabilities) == nil)
    #expect(GroupedProducts(ProductQuery(ids: []), in: capabilities) == nil)
  }

  @Test func `a market without reservations has two groups, and one that finds nothing sold none`()
  {
    var capabilities = RepositoryCapabilities.full
    capabilities.parts.subtract([.filter(.available), .filter(.reserved)])
    expect(GroupedProducts(ProductQuery(), in: capabilities)?.filters, [.inStock, .sold])
    capabilities.parts.remove(.filter(.sold))
    #expect(GroupedProducts(ProductQuery(), in: capabilities) == nil)
    var numbered = RepositoryCapabilities.full
    numbered.paging = .number
    #expect(GroupedProducts(ProductQuery(), in: numbered) == nil)
  }

  @Test func `a product that is reserved or sold moves to its group and stays selected`() async {
    let navigator = await own(market())
    let browser = navigator.browser
    browser.list.didLayOut(columns: 1, visibleRows: 30)
    browser.list.select(1)
    var sold = Self.product(8)
    sold.stock = 0

    navigator.didFinish(.changed(.sample(of: sold)))

    expect(ids(navigator), [11, 5, 2, 10, 7, 4, 1, 12, 9, 8, 6, 3])
    #expect(browser.selected?.id == sold.id && browser.feed.productTotal == .exactly(12))
    var back = sold
    back.stock = 3
    navigator.didFinish(.changed(.sample(of: back)))
    #expect(ids(navigator) == Self.inGroups && browser.selected?.id == sold.id)
  }

  /// Product 11, as it is changed.
  private func changed(_ set: (inout Product) -> Void) -> ProductDetail {
    var product = Self.product(11)
    set(&product)
    return .sample(of: product)
  }

  private func readOn(_ navigator: Navigator) async {
    navigator.browser.list.didLayOut(columns: 1, visibleRows: 30)
    await until { navigator.browser.feed.phase == .ended }
  }

  @Test func `what moves behind the rows that were read stands at their end until its page comes`()
    async throws
  {
    let repository = market()
    let navigator = await own(repository, pageSize: 3)

    navigator.didFinish(.changed(changed { $0.stock = 0 }))
    #expect(ids(navigator) == [8, 5, 11] && navigator.browser.selected?.id.rawValue == 11)
    _ = try await repository.update(
      Product.ID(rawValue: 11), with: ProductPatch(stock: 0), password: Password("any"),
      by: .guest, expecting: nil)
    await readOn(navigator)

    expect(ids(navigator), [8, 5, 2, 10, 7, 4, 1, 12, 11, 9, 6, 3])
    expect(navigator.browser.feed.productTotal, .exactly(12))
    expect(navigator.browser.feed.groupStarts.map(\.index), [0, 3, 7])
    expect(navigator.browser.selected?.id.rawValue, 11)
  }

  @Test func `z and u bring a product back to its row`() async {
    let navigator = await own(market(), pageSize: 3)

    navigator.didFinish(.changed(changed { $0.isReserved = true }))
    expect(ids(navigator), [8, 5, 11])
    navigator.didFinish(.changed(changed { _ in }))

    #expect(ids(navigator) == [11, 8, 5] && navigator.browser.selected?.id.rawValue == 11)
    await readOn(navigator)
    expect(ids(navigator), Self.inGroups)
  }

  @Test func `z and z are of the same product`() async throws {
    let navigator = await own(market(), pageSize: 3)

    navigator.didFinish(.changed(changed { $0.isReserved = true }))

    let selected = try #require(navigator.browser.selected)
    expect(selected.id.rawValue, 11)
    expect(SaleStep.next(for: [selected]), [.endReservation, .sell])
  }

  @Test func `what comes to stand among the rows that were read has a row there`() {
    let query = ProductQuery(sellers: [Self.me.id])
    var feed = ProductFeed(query: query, pageSize: 3)
    let next = PagePosition.after(PageCursor(rawValue: "5"))
    _ = feed.didReceive(
      ProductPage(products: [11, 8, 5].map(Self.product), total: .exactly(12), next: next),
      for: feed.start(query))
    feed.isGrouped = true

    for id in [12, 3] as [Int64] {
      var back = Self.product(id)
      back.stock = 1
      feed.moveToItsGroup(back)
    }
    feed.moveToItsGroup(.sample(id: 99))

    expect(feed.head.map(\.id.rawValue), [12, 11, 8, 5])
    expect(feed.index(of: Product.ID(rawValue: 12)), 0)
  }

  @Test func `a list that is read again keeps its groups and what is selected`() async {
    let navigator = await own(market(), pageSize: 3)
    let browser = navigator.browser
    browser.list.didLayOut(columns: 1, visibleRows: 30)
    await until { browser.feed.phase == .ended }
    browser.list.select(6)

    browser.refresh()
    await until { !browser.feed.isRefreshing }

    #expect(ids(navigator) == Self.inGroups && browser.selected?.id.rawValue == 4)
    expect(browser.feed.groupStarts.map(\.index), [0, 4, 8])
  }

  @Test func `the products of all are no groups`() async {
    let navigator = await own(market())
    navigator.toggleMyProducts()

    await until { !navigator.browser.feed.isStale && !navigator.showsMine }

    #expect(navigator.browser.feed.groupStarts.isEmpty)
    expect(ids(navigator).first, 99)
  }
}
