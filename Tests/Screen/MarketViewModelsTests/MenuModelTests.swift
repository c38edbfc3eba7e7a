import MarketModel
import MarketViewModels
import Testing

@Suite struct MenuModelTests {
  private func menu(
    orders: [ProductOrder] = ProductOrder.allCases,
    filters: [ProductFilter] = ProductFilter.allCases, query: ProductQuery = ProductQuery()
  ) -> MenuModel {
    var capabilities = RepositoryCapabilities.full
    capabilities.orders = orders
    capabilities.parts = Set(
      QueryPart.allCases.filter { $0.filter.map(filters.contains) ?? true })
    return MenuModel(capabilities: capabilities, query: query)
  }

  @Test func `the menu of orders begins at the one in force`() {
    let menu = menu(query: ProductQuery(order: .priceDescending))

    #expect(menu.items[menu.selected] == .order(.priceDescending))
    #expect(menu.isChosen(.order(.priceDescending)))
  }

  @Test func `only what the market offers is there`() {
    let menu = menu(orders: [.newest], filters: [.reduced])

    #expect(menu.items == ProductOrder.allCases.map { .order($0) } + [.filter(.reduced)])
    #expect(menu.items.filter(menu.isOffered) == [.order(.newest), .filter(.reduced)])
    #expect(menu.lacksOrders && !menu.scansForFilters)
  }

  @Test func `an order that the market lacks is not taken`() {
    let menu = menu(orders: [.newest])

    menu.select(1)

    #expect(!menu.choose())
    #expect(menu.query.order == .newest)
  }

  @Test func `filters for which pages are sifted are there as well`() {
    var capabilities = RepositoryCapabilities.full
    (capabilities.parts, capabilities.scannable) = ([], [.reduced, .price])
    let menu = MenuModel(capabilities: capabilities, query: ProductQuery())

    #expect(menu.items.last == .filter(.reduced) && menu.scansForFilters)
    menu.select(menu.items.count - 1)
    #expect(menu.choose())
    #expect(menu.query.filters == [.reduced])
  }

  @Test func `what has neither orders nor filters to choose from offers no menu`() {
    var capabilities = RepositoryCapabilities.full
    #expect(capabilities.offersMenu)

    (capabilities.orders, capabilities.parts) = ([.newest], [])

    #expect(!capabilities.offersMenu)
  }

  @Test func `the selection stays within the menu`() {
    let menu = menu()

    menu.move(by: -5)
    #expect(menu.selected == 0)
    menu.move(by: 50)

    #expect(menu.selected == menu.items.count - 1)
  }

  @Test func `an order replaces the other, a filter is switched`() {
    let menu = menu()

    menu.select(1)
    #expect(menu.choose())
    #expect(menu.query.order == .cheapest)
    menu.select(5)
    #expect(menu.choose())
    #expect(menu.query.filters == [.reduced])
    #expect(menu.choose())

    #expect(menu.query.filters.isEmpty)
  }
}
