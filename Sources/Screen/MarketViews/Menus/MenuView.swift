internal import MarketModel
import MarketStrings
package import MarketViewModels
internal import SafeTextKit

extension MenuModel: ViewedLayer {
  package func view(in frame: Frame) -> MenuView { MenuView(model: self, frame: frame) }
}

/// The menu of orders and filters.
package struct MenuView: MenuLayerView {
  package let model: MenuModel
  package let frame: Frame

  package static let bindings = BindingTable<MenuView>(
    SharedBindings.menu(switching: \.isOnFilter))

  private var isOnFilter: Bool {
    if case .filter = model.items[model.selected] { true } else { false }
  }

  /// Applies a choice: an order leaves the menu, filters can be switched one after the other.
  package func choose(_ index: Int?) {
    guard model.items.indices.contains(index ?? model.selected) else { return }
    if let index { model.select(index) }
    guard model.choose() else { return navigator.announce(.hint(.orderLacking)) }
    navigator.browser.show(model.query)
    if !isOnFilter { close() }
  }

  package func moveSelection(by distance: Int) { model.move(by: distance) }

  package var box: MenuBox {
    MenuBox(lines: lines, selected: model.selected, bounds: frame.body, context: context)
  }

  /// The choices, each kind under its heading.
  private var lines: [MenuBox.Line] {
    var lines: [MenuBox.Line] = []
    var heading: Phrase?
    for item in model.items {
      if heading != item.heading {
        lines += heading == nil ? [] : ordersNote + [.blank]
        lines.append(.heading(context.strings[item.heading]))
        heading = item.heading
      }
      lines.append(.choice(choice(of: item)))
    }
    if heading == .menuOrder { lines += ordersNote }
    return lines + (model.scansForFilters ? [.note(context.strings[.filtersScanned])] : [])
  }

  /// Why orders are grey.
  private var ordersNote: [MenuBox.Line] {
    model.lacksOrders ? [.note(context.strings[.hintOrderLacking])] : []
  }

  private func choice(of item: MenuModel.Item) -> MenuBox.Choice {
    let isChosen = model.isChosen(item)
    return switch item {
    case .order(let order):
      MenuBox.Choice(
        text: context.strings[order.phrase],
        mark: model.isOffered(item) ? .one(isChosen) : nil, isOffered: model.isOffered(item))
    case .filter(let filter):
      MenuBox.Choice(text: context.strings[filter.phrase], mark: .several(isChosen))
    }
  }
}

extension MenuModel.Item {
  fileprivate var heading: Phrase {
    switch self {
    case .order: .menuOrder
    case .filter: .menuFilter
    }
  }
}

extension Phrase {
  static var menuOrder: Phrase { .named() }
  static var menuFilter: Phrase { .named() }
}

extension Phrase {
  static var filtersScanned: Phrase { .named() }
}
