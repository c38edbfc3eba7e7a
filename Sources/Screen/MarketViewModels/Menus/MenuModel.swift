package import MarketModel
import Observation

/// The menu of orders and filters that a market offers.
@Observable
package final class MenuModel: Layer {
  package enum Item: Hashable, Sendable {
    case order(ProductOrder)
    case filter(ProductFilter)
  }

  package let items: [Item]
  private let capabilities: RepositoryCapabilities
  package private(set) var selected: Int
  /// The query as the menu has changed it so far.
  package private(set) var query: ProductQuery

  /// Begins at the order in force; without orders, at the first filter.
  package init(capabilities: RepositoryCapabilities, query: ProductQuery) {
    self.query = query
    self.capabilities = capabilities
    let orders = ProductOrder.allCases.map(Item.order)
    items = orders + capabilities.filters.map(Item.filter)
    selected = items.firstIndex(of: .order(query.order)) ?? 0
  }

  package func move(by distance: Int) {
    selected = (selected + distance).clamped(to: 0...max(0, items.count - 1))
  }

  package func select(_ index: Int) {
    move(by: index - selected)
  }

  /// Takes the selected order, or switches the selected filter; false where the market lacks it.
  package func choose() -> Bool {
    guard isOffered(items[selected]) else { return false }
    switch items[selected] {
    case .order(let order): query.order = order
    case .filter(let filter): query.filters.formSymmetricDifference([filter])
    }
    return true
  }

  /// Whether an item can be chosen: an order that the market lacks stays in sight, for the pages that
  /// happen to be loaded are never sorted instead.
  package func isOffered(_ item: Item) -> Bool {
    switch item {
    case .order(let order): capabilities.orders.contains(order)
    case .filter: true
    }
  }

  /// Whether there is an order that the market lacks.
  package var lacksOrders: Bool { !items.allSatisfy(isOffered) }

  /// Whether there is a filter for which the market's pages are sifted.
  package var scansForFilters: Bool {
    QueryPart.allCases.contains { $0.filter != nil && capabilities.scannable.contains($0) }
  }

  /// Whether an item is in force.
  package func isChosen(_ item: Item) -> Bool {
    switch item {
    case .order(let order): query.order == order
    case .filter(let filter): query.filters.contains(filter)
    }
  }
}

extension MenuModel {
  /// Opens the menu of orders or filters, or says that this market has none.
  package static func open(on navigator: Navigator) {
    let browser = navigator.browser
    guard let capabilities = browser.capabilities else {
      return navigator.announce(.hint(.noAnswerYet))
    }
    guard capabilities.offersMenu else { return navigator.announce(.hint(.noOrder)) }
    navigator.stack.push(
      MenuModel(capabilities: capabilities, query: browser.feed.query))
  }
}

extension RepositoryCapabilities {
  /// Whether there is more than one order to choose from.
  fileprivate nonisolated var hasOrders: Bool { orders.count > 1 }

  /// Whether the menu of orders and filters has anything to choose from.
  package nonisolated var offersMenu: Bool { hasOrders || !filters.isEmpty }
}
