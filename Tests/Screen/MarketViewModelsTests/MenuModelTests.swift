import Expectations
import MarketModel
import MarketViewModels
import SafeTextKit
import SellingTestSupport
import TestSupport
import Testing

struct MenuModelTests {
  private func capabilities(
    orders: [ProductOrder] = ProductOrder.allCases,
    filters: [ProductFilter] = ProductFilter.allCases
  ) -> RepositoryCapabilities {
    var capabilities = RepositoryCapabilities.full
    capabilities.orders = orders
    capabilities.parts = Set(
      QueryPart.allCases.filter { part in
        if case .filter(let filter) = part { filters.contains(filter) } else { true }
      })
    return capabilities
  }

  /// Screens of a market that shows what a query asks for.
  private func market(
    _ capabilities: RepositoryCapabilities, query: ProductQuery = ProductQuery()
  ) async throws -> Navigator {
    let repository = GatedProductRepository(capabilities: capabilities)
    let clock = ManualClock()
    let navigator = Navigator(
      browser: BrowserModel(
        repository: repository, arrangement: .list, pageSize: 4, clock: clock),
      gallery: PictureGallery(loader: NoPictures()), marketName: nil, clock: clock,
      now: { Timestamp(seconds: 0) })
    navigator.start()
    try await repository.pages.next().answer(.sample([2, 1]))
    await until { navigator.browser.capabilities != nil && !navigator.browser.feed.isStale }
    navigator.browser.show(query)
    return navigator
  }

  private func menu(on navigator: Navigator) throws -> MenuModel {
    navigator.openOrders()
    return try #require(navigator.stack.top as? MenuModel)
  }

  private func choose(_ row: MenuModel.Row, in menu: MenuModel, on navigator: Navigator) async {
    menu.choose(row)
    await navigator.stack.settle()
  }

  @Test func `the menu of orders begins at the one in force`() async throws {
    let query = ProductQuery(order: .priceDescending)
    let menu = try menu(on: await market(capabilities(), query: query))

    expect(menu.list.selected, .order(.priceDescending))
  }

  @Test func `only what the market offers is there`() async throws {
    let capabilities = capabilities(orders: [.newest], filters: [.reduced])
    let menu = try menu(on: await market(capabilities))

    expect(
      menu.list.sections,
      [
        ListSection(.subject, ProductOrder.allCases.map { .order($0) }),
        ListSection(.filters, [.filter(.reduced)]),
      ])
    #expect(capabilities.lacksOrders && !capabilities.scansForFilters)
  }

  @Test func `an order that the market lacks is not taken`() async throws {
    let navigator = try await market(capabilities(orders: [.newest]))
    let menu = try menu(on: navigator)

    await choose(.order(.cheapest), in: menu, on: navigator)

    #expect(navigator.stack.top === menu && navigator.notice == .hint(.orderLacking))
    expect(navigator.browser.feed.query.order, .newest)
  }

  @Test func `filters for which pages are sifted are there as well`() async throws {
    var capabilities = RepositoryCapabilities.full
    (capabilities.parts, capabilities.scannable) = ([], [.reduced, .price])
    let navigator = try await market(capabilities)
    let menu = try menu(on: navigator)

    expect(menu.list.sections.last?.items, [.filter(.reduced)])
    #expect(capabilities.scansForFilters)
    await choose(.filter(.reduced), in: menu, on: navigator)
    expect(navigator.browser.feed.query.filters, [.reduced])
  }

  @Test func `what has neither orders nor filters to choose from offers no menu`() {
    var capabilities = RepositoryCapabilities.full
    #expect(capabilities.offersMenu)

    (capabilities.orders, capabilities.parts) = ([.newest], [])

    #expect(!capabilities.offersMenu)
  }

  @Test func `an order replaces the other, a filter is switched`() async throws {
    let navigator = try await market(capabilities())
    let menu = try menu(on: navigator)

    await choose(.filter(.reduced), in: menu, on: navigator)
    expect(navigator.browser.feed.query.filters, [.reduced])
    await choose(.filter(.reduced), in: menu, on: navigator)
    #expect(navigator.browser.feed.query.filters.isEmpty && navigator.stack.top === menu)
    await choose(.order(.cheapest), in: menu, on: navigator)

    #expect(navigator.browser.feed.query.order == .cheapest && !navigator.stack.isCovered)
  }
}
